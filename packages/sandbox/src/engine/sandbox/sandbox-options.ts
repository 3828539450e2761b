import {
  anything,
  describeNumber,
  hasMethod,
  mistake,
  options,
  wholeNumber,
  type Clock,
  type OptionTable,
  memberOf,
  readInput,
} from "@fieldmesh/core/internal";
import { must, someMilliseconds } from "../checks.ts";
import { checkConsole } from "../console/console.ts";
import type { FaultScript } from "../faults/fault-script.ts";
import { checkLedger } from "../ledger/ledger-state.ts";
import { checkMapper } from "../mapper/mapper.ts";
import { checkMobile } from "../mobile/mobile-state.ts";
import type { ServiceOptions } from "../services/served.ts";
import type { Snapshot, CheckedSnapshot } from "../services/snapshot.ts";
import type { VirtualClock } from "../time/clocks.ts";
import type { LoggedRequest } from "../log/logged-request.ts";
import type { WritableLog } from "../log/request-log.ts";

/** Options of a sandbox. */
export interface SandboxOptions<C extends Clock = VirtualClock> extends ServiceOptions {
  /** The seed of ids, keys, data and random faults. @default 1 */
  seed?: number | string | undefined;
  /**
   * The source of all time in the sandbox: timestamps, rate limits, events. A virtual clock moves only when you advance it, so after
   * 6,000 requests to the console, every further one gets a 429. Pass `systemClock` for a sandbox that you use by hand or send
   * more requests to.
   *
   * @default a virtual clock that starts at 2026-11-20T08:00:00Z
   */
  clock?: C | undefined;
  /** What goes wrong. @default nothing */
  faults?: FaultScript | undefined;
  /** Milliseconds of real time that every request is delayed. It is carried out even if its caller has left. @default 0 */
  latency?: number | undefined;
  /**
   * Starts from a snapshot instead of new data. It has the seed and the options of the services, so leave those out. A clock that
   * can be set is set to the time of the snapshot.
   *
   * @default none
   */
  snapshot?: Snapshot | undefined;
  /** The number of requests in the log, and how many `stepBack` can undo. @default 10_000 */
  logSize?: number | undefined;
  /**
   * The bytes of request bodies that the log and `stepBack` keep together. Beyond it, the oldest bodies are forgotten whole: `body`
   * is `undefined`, and you cannot go back over them. The newest body is always kept.
   *
   * @default 67_108_864 - 64 MB
   */
  logBytes?: number | undefined;
}

export const sandboxTable: OptionTable<SandboxOptions<Clock>> = {
  seed: aSeed,
  clock: /* @__PURE__ */ must(
    "a clock, such as createVirtualClock()",
    (value) => hasMethod(value, "now") && hasMethod(value, "sleep"),
  ),
  // It is checked where it is set, and the snapshot where it is read.
  faults: anything,
  latency: someMilliseconds,
  logSize: aLimit,
  logBytes: aLimit,
  snapshot: anything,
  console: checkConsole,
  ledger: checkLedger,
  mapper: checkMapper,
  mobile: checkMobile,
};

export const readSandboxOptions = /* @__PURE__ */ options<SandboxOptions<Clock>>(
  "createSandbox",
  sandboxTable,
);

function aSeed(value: unknown, name: string): number | string {
  if (typeof value === "string" || Number.isFinite(value)) return value as number | string;
  throw mistake(`${name} must be a number or a string; it is ${describeNumber(value)}.`);
}

function aLimit(value: unknown, name: string): number {
  return value === Infinity ? value : wholeNumber(0)(value, name);
}

/** Throws a TypeError for a snapshot of another sandbox, whose keys and chain differ. */
export function checkFit(
  saved: CheckedSnapshot,
  seed: number | string,
  ofServices: CheckedSnapshot["options"],
): void {
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const what = differs(saved.seed, seed)
    ? "another seed"
    : differs(saved.options, ofServices)
      ? "other options of its services"
      : undefined;
  if (what !== undefined)
    throw mistake(
      `This snapshot is of a sandbox with ${what}: start one from it with createSandbox({ snapshot }).`,
    );
}

/** Returns the number of a request of the log. Throws a TypeError or a RangeError for anything else. */
export function numberOf(before: LoggedRequest | number, log: WritableLog): number {
  if (typeof before === "number") return before;
  const number = readInput("The request", () => memberOf(before, "number"));
  if (typeof number !== "number")
    throw mistake("stepBack requires a request of the log, or its number.");
  if (log.find(number)?.request === before) return number;
  throw new RangeError(`Request ${number} is not in the log of this sandbox.`);
}
