import { parseArgs } from "node:util";
import { FAULT_NAMES, type FaultName } from "../engine/faults/fault-script.ts";

/** What the command line asks for. */
export type CliRequest = { readonly show: "help" | "version" } | { readonly options: CliOptions };

/** The options of a sandbox that can be said on a command line. */
export interface CliOptions {
  readonly port?: number;
  readonly seed?: string;
  readonly latency?: number;
  readonly faults?: { readonly rate: number; readonly kinds?: readonly NamedKind[] };
  readonly webhook?: string;
  /** What signs for the webhook endpoint. */
  readonly secret?: string;
  /** The file for the addresses and keys. */
  readonly env?: string;
}

/** A kind of fault that a command line can name. */
type NamedKind = FaultName | number;

/** A broken command line; its message is one sentence for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const HELP = `Usage: fieldmesh-sandbox [options]
       fieldmesh-sandbox trigger <type> [--sandbox <url>] [--data <json>]
       fieldmesh-sandbox send <type> --to <url> --secret <secret> [--data <json>]

Runs the fieldmesh services with state on 127.0.0.1 until Ctrl-C.

  --port <number>      where to listen; without it, any free port
  --seed <text>        ids, key, data and faults follow from it; 1 without it
  --latency <ms>       what every request takes at least
  --faults <share>     how many requests go wrong, such as 0.1
  --faults <share>:<kinds>
                       and in which ways, such as 0.1:reset,503
                       kinds: ${FAULT_NAMES.join(", ")}, or a status
  --webhook <url>      a webhook endpoint on this machine that gets all events, signed
                       with --secret, or with a new secret that is printed
  --env <file>         write the addresses and keys to a file for node --env-file
  --version            print the version
  --help               print this

trigger makes a sandbox that runs emit an event to its webhook endpoints;
send signs one event and posts it to any receiver on this machine.

  --sandbox <url>      which one, or FIELDMESH_SANDBOX; the one started last without it
  --to <url>           the receiver
  --secret <secret>    what signs, or FIELDMESH_WEBHOOK_SECRET
  --data <json>        what its data shall have, such as '{"object":{"id":"sim_1"}}'
`;

const VALUES = ["port", "seed", "latency", "faults", "webhook", "secret", "env"] as const;
const MAX_PORT = 65_535;
// The longest that a timer can wait.
const MAX_LATENCY = 2 ** 31 - 1;

/** Reads the arguments behind the program's name; throws a UsageError. */
export function readArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): CliRequest {
  const values = readValues(args);
  if (values.has("help")) return { show: "help" };
  if (values.has("version")) return { show: "version" };
  const [port, seed, latency, faults, webhook, given, file] = VALUES.map((name) =>
    values.get(name),
  );
  if (given !== undefined && webhook === undefined)
    throw new UsageError("--secret signs what goes to --webhook, which is missing.");
  if (given?.trim() === "") throw new UsageError("--secret must not be empty.");
  if (file?.trim() === "") throw new UsageError("--env takes the name of a file, such as .env.");
  const secret = given ?? env["FIELDMESH_WEBHOOK_SECRET"];
  return {
    options: {
      ...(port !== undefined && { port: readInteger("port", port, MAX_PORT) }),
      ...(seed !== undefined && { seed }),
      ...(latency !== undefined && { latency: readInteger("latency", latency, MAX_LATENCY) }),
      ...(faults !== undefined && { faults: readFaults(faults) }),
      ...(webhook !== undefined && { webhook, ...(secret && { secret }) }),
      ...(file !== undefined && { env: file }),
    },
  };
}

function readValues(args: readonly string[]): Map<string, string> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const options = {
    port: text,
    seed: text,
    latency: text,
    faults: text,
    webhook: text,
    secret: text,
    env: text,
    help: flag,
    version: flag,
  };
  // Not strict: the messages of strict mode are for the author of the program.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "positional")
      throw new UsageError(`unexpected argument ${token.value}; see --help.`);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!(name in options)) throw new UsageError(`unknown option ${rawName}; see --help.`);
    const wantsValue = VALUES.some((each) => each === name);
    if (wantsValue && value === undefined)
      throw new UsageError(`${rawName} needs a value; see --help.`);
    if (!wantsValue && value !== undefined)
      throw new UsageError(`${rawName} takes no value; see --help.`);
    values.set(name, value ?? "");
  }
  return values;
}

function readInteger(name: string, text: string, max: number): number {
  if (!/^\d+$/.test(text) || Number(text) > max) {
    throw new UsageError(`--${name} takes a whole number from 0 to ${max}, not "${text}".`);
  }
  return Number(text);
}

function readFaults(text: string): NonNullable<CliOptions["faults"]> {
  const [share = "", kinds] = text.split(":", 2);
  const rate = Number(share);
  if (share.trim() === "" || !(rate >= 0 && rate <= 1)) {
    throw new UsageError(
      `--faults takes a share from 0 to 1, such as 0.1 or 0.1:reset,503, not "${text}".`,
    );
  }
  return kinds === undefined ? { rate } : { rate, kinds: kinds.split(",").map(readKind) };
}

function readKind(text: string): NamedKind {
  const name = FAULT_NAMES.find((each) => each === text);
  if (name !== undefined) return name;
  if (/^[45]\d\d$/.test(text)) return Number(text);
  throw new UsageError(
    `--faults knows ${FAULT_NAMES.join(", ")} and statuses from 400 to 599, not "${text}".`,
  );
}
