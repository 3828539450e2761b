import { memberOf, mistake, readInput } from "@fieldmesh/core/internal";
import type { LoggedRequest } from "../log/logged-request.ts";
import type { WritableLog } from "../log/request-log.ts";
import type { CheckedSnapshot } from "../services/snapshot.ts";

/** Throws a TypeError for a snapshot of another sandbox, whose keys and chain differ. */
export function checkFit(
  saved: CheckedSnapshot,
  seed: number | string,
  options: CheckedSnapshot["options"],
): void {
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const what = differs(saved.seed, seed)
    ? "another seed"
    : differs(saved.options, options)
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
