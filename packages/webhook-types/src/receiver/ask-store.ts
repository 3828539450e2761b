// Why it is so: docs/decisions/35-every-wait-has-an-end.md
import {
  storeChannel,
  trace,
  within,
  describeValue,
  ifDate,
  recordOf,
  mistake,
} from "@fieldmesh/core/internal";
import type { ObjectClaim } from "../stores/object-order.ts";

/** The client of a database may wait much longer for a server that is gone, and a sender gives up earlier. */
export const LONGEST_STORE_WAIT = 10_000;

/** Calls a store, waits 10 s at most, and publishes the call to `fieldmesh:store`. `undo` receives a result that comes later. */
export function askStore<T>(
  operation: string,
  ask: () => Promise<T>,
  undo?: (result: T) => unknown,
): Promise<T> {
  return traceStore(operation, () => within(LONGEST_STORE_WAIT, ask, hangs(operation), undo));
}

export function traceStore<T>(operation: string, ask: () => Promise<T>): Promise<T> {
  return trace(storeChannel, ask, { start: () => ({ operation }) });
}

export function hangs(operation: string): string {
  return `${operation} of the store did not settle within 10 s. Check that the store is reachable, and set a shorter timeout in its client.`;
}

// A custom store may forget a `return`. Its event must be delivered again, and must not count as done.

export function checkClaim(claim: unknown): void {
  const { status } = recordOf(claim);
  if (status !== "claimed" && status !== "done" && status !== "in_progress")
    throw mistakeOf(
      "claim",
      claim,
      '{ status: "claimed", attempt }, { status: "done" } or { status: "in_progress", endsIn }',
    );
}

export function checkCompleted(isMine: unknown): void {
  if (typeof isMine !== "boolean")
    throw mistakeOf("complete", isMine, "true, or false if another process has the event");
}

/** Throws if `run` of an inbox returned another string, or `committed` before the work had ended. */
export function checkCommitted(outcome: unknown, hasEnded: boolean): void {
  if (outcome !== "committed")
    throw mistakeOf("run", outcome, '"committed", "done" or "in_progress"');
  if (!hasEnded)
    throw mistake(
      'run of the store returned "committed" before the work had ended. It must await the work, and commit after it.',
    );
}

export function checkObjectClaim(claim: unknown): asserts claim is ObjectClaim | undefined {
  const claims: unknown[] = ["newest", "ambiguous", "older", "locked"] satisfies ObjectClaim[];
  if (claim !== undefined && !claims.includes(claim))
    throw mistakeOf(
      "claimObject",
      claim,
      '"newest", "ambiguous", "older", "locked", or undefined if the object has no id',
    );
}

export function readFirstClaim(time: unknown): number {
  if (typeof time === "number" && ifDate(time) !== undefined) return time;
  throw mistakeOf("firstClaim", time, "the time of the first claim, in milliseconds since 1970");
}

function mistakeOf(method: string, returned: unknown, expected: string): TypeError {
  const value = typeof returned === "string" ? "another string" : describeValue(returned);
  return new TypeError(`${method} of the store returned ${value}. It must return ${expected}.`);
}

/** An inbox cannot tell when another transaction ends. Most take less. */
export const RETRY_IN = 1_000;
const DAY = 86_400_000;

/** No lease lasts this long, and a header cannot contain NaN. */
export function readWait(endsIn: number): number {
  return endsIn > 0 && endsIn <= DAY ? endsIn : RETRY_IN;
}
