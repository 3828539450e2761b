import { FAULT_NAMES, type FaultName } from "../../engine/faults/fault-script.ts";
import { readDuration } from "../../engine/faults/fault-duration.ts";
import type { DelayFault } from "../../engine/serve/fault.ts";
import { UsageError } from "../command-error.ts";
import { type CommandInput, textOf } from "../command.ts";
import { MAX_PORT, readInteger } from "../read-input.ts";
import { givenServiceSwitches, readSwitches, type SwitchSettings } from "./read-switches.ts";

export interface SandboxSettings extends SwitchSettings {
  readonly port?: number;
  readonly host?: string;
  readonly seed?: string;
  readonly latency?: number;
  readonly faults?: {
    readonly rate: number;
    readonly kinds?: readonly NamedKind[];
    readonly duration?: number;
  };
  readonly webhook?: string;
  /** The file for the addresses and keys. */
  readonly env?: string;
  /** The file of a snapshot to start from. */
  readonly from?: string;
  /** The file for a snapshot at the end. */
  readonly save?: string;
}

type NamedKind = FaultName | number | DelayFault;

// The longest that a timer can wait.
const MAX_LATENCY = 2 ** 31 - 1;

/** Reads the options of a sandbox. Throws a UsageError for an invalid value. */
export function readSettings(input: CommandInput): SandboxSettings {
  const own: Omit<SandboxSettings, keyof SwitchSettings> = Object.fromEntries(
    Object.entries(READERS).flatMap(([name, read]) => {
      const text = textOf(input, name);
      return text === undefined ? [] : [[name, read(text)]];
    }),
  );
  const { from, seed, webhook } = own;
  const hasSecret = ["secret", "secretFile"].some((name) => textOf(input, name) !== undefined);
  if (hasSecret && webhook === undefined)
    throw new UsageError("A secret needs --webhook, the endpoint whose deliveries it signs.");
  if (from !== undefined && seed !== undefined)
    throw new UsageError("A snapshot has the seed: remove --seed, or remove --from.");
  const [service] = givenServiceSwitches(input);
  if (from !== undefined && service !== undefined)
    throw new UsageError(
      `A snapshot has the options of the services: remove --${service.flag}, or remove --from.`,
    );
  return { ...own, ...readSwitches(input) };
}

const A_FILE = "the name of a file, such as fleet.snapshot.json";
const READERS = {
  port: (text: string) => readInteger("port", text, MAX_PORT),
  host: filled("host", "an address, such as 0.0.0.0"),
  seed: String,
  latency: (text: string) => readInteger("latency", text, MAX_LATENCY),
  faults: readFaults,
  webhook: String,
  env: filled("env", "the name of a file, such as .env"),
  from: filled("from", A_FILE),
  save: filled("save", A_FILE),
} satisfies Record<string, (text: string) => unknown>;

function filled(name: string, what: string): (text: string) => string {
  return (text) => {
    if (text.trim() !== "") return text;
    throw new UsageError(`--${name} needs ${what}.`);
  };
}

function readFaults(text: string): NonNullable<SandboxSettings["faults"]> {
  const [share = "", kinds, end] = text.split(":", 3);
  const rate = Number(share);
  if (share.trim() === "" || !(rate >= 0 && rate <= 1)) {
    throw new UsageError(`--faults needs a share from 0 to 1, such as 0.1 or 0.1:reset,503.`);
  }
  const duration = end === undefined ? undefined : readDuration(end);
  if (end !== undefined && duration === undefined)
    throw new UsageError(`--faults needs a duration such as 10min, 90s or 2h after the kinds.`);
  return {
    rate,
    // 0.1::10min has the usual kinds.
    ...(kinds !== undefined &&
      (kinds !== "" || end === undefined) && { kinds: kinds.split(",").map(readKind) }),
    ...(duration !== undefined && { duration }),
  };
}

function readKind(text: string): NamedKind {
  const name = FAULT_NAMES.find((each) => each === text);
  if (name !== undefined) return name;
  if (/^[45]\d\d$/.test(text)) return Number(text);
  const ms = Number(/^delay=(\d+)$/.exec(text)?.[1]);
  if (ms <= MAX_LATENCY) return { kind: "delay", ms };
  throw new UsageError(
    `--faults accepts ${FAULT_NAMES.join(", ")}, delay=<ms> and statuses from 400 to 599.`,
  );
}
