import { FieldmeshError, isFieldmeshError } from "@fieldmesh/core";
import type { BulkProgress, BulkResults } from "./bulk-types.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";

/** How far a run was when it ended. */
export interface BulkState {
  readonly progress: BulkProgress;
  readonly checkpoint: BulkCheckpoint | undefined;
  readonly results: BulkResults;
}

/**
 * A run of `devices.createMany` ended before all devices were settled. `cause` is the reason: the error of a request that would hit
 * every other chunk, what the input or `onCheckpoint` threw, or the reason of the signal.
 *
 * Logs show `progress`; `checkpoint`, `results` and `cause` are members that are not enumerable.
 */
export class BulkError extends FieldmeshError implements BulkState {
  /** How far the run was, earlier runs of its checkpoint included. */
  readonly progress: BulkProgress;
  /** Where to resume. `undefined` if the organization, which a checkpoint names, could not be read. */
  declare readonly checkpoint: BulkCheckpoint | undefined;
  /** The results of this run until then, also those that a loop received. */
  declare readonly results: BulkResults;

  static {
    this.prototype.name = "BulkError";
  }

  constructor(state: BulkState, happened: string, cause: unknown) {
    super(`devices.createMany ${happened} ${numbersOf(state.progress)} ${advice(state)}`);
    this.progress = state.progress;
    const { checkpoint, results } = state;
    for (const [name, value] of Object.entries({ checkpoint, results, cause }))
      Object.defineProperty(this, name, { value, configurable: true, writable: true });
  }
}

/**
 * Tells whether a run of `devices.createMany` ended early; the error then has `progress`, `checkpoint` and `results`.
 *
 * @example
 * ```ts
 * if (isBulkError(error)) await save(error.checkpoint);
 * ```
 */
export function isBulkError(value: unknown): value is BulkError {
  return isFieldmeshError(value, "BulkError");
}

/** Says what ended a run. The message of an error that is not ours may hold anything, a key too, and stays in `cause`. */
export function whatHappened(cause: unknown): string {
  return isFieldmeshError(cause)
    ? `ended early: ${cause.message}`
    : "ended early: the input or onCheckpoint threw; see `cause`.";
}

function numbersOf({ created, failed, unknown, skipped }: BulkProgress): string {
  const existing = skipped > 0 ? `, ${skipped} skipped` : "";
  return `Until then: ${created} created, ${failed} failed, ${unknown} unknown${existing}.`;
}

function advice({ checkpoint }: BulkState): string {
  return checkpoint === undefined
    ? "There is no checkpoint, because the organization could not be read: compare devices.list with the input before you send it again."
    : "To resume, call createMany with the same devices and the `checkpoint` of this error.";
}
