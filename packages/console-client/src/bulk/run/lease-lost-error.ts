import { FieldmeshError } from "@fieldmesh/core";
import type { BulkProgress, BulkResults } from "./bulk-types.ts";
import type { ChangeProgress, ChangeResults } from "./change-types.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";

/**
 * Thrown when a run has no lease: another run holds it, or it could not be extended. The run has sent nothing since.
 *
 * Logs show `progress`, `heldSince` and `heldUntil`. `checkpoint`, `results` and `cause` are not enumerable.
 *
 * @example
 * ```ts
 * if (error instanceof LeaseLostError && error.heldUntil !== undefined) return; // another worker does it
 * ```
 */
export class LeaseLostError extends FieldmeshError {
  /** How far the run was, including earlier runs of its checkpoint. Its requests that are still in progress are in `unsettled`. */
  readonly progress: BulkProgress | ChangeProgress;
  /** When the other run claimed the lease. `undefined` if this run has lost its own, or if the store does not say it. */
  readonly heldSince: Date | undefined;
  /** When the lease of the other run ends, unless that run extends it. `undefined` if this run has lost its own. */
  readonly heldUntil: Date | undefined;
  /** Where to resume. `undefined` if the organization, which a checkpoint names, could not be read. */
  declare readonly checkpoint: BulkCheckpoint | undefined;
  /** The results of this run so far, including those that a loop received. */
  declare readonly results: BulkResults | ChangeResults;

  protected static override readonly errorName: string = "LeaseLostError";

  constructor(
    details: Pick<
      LeaseLostError,
      "progress" | "heldSince" | "heldUntil" | "checkpoint" | "results"
    > & {
      readonly method: string;
      /** Why the lease was not claimed, if it was not. */
      readonly unclaimed: string | undefined;
    },
    cause: unknown,
  ) {
    const { method, progress, heldSince, heldUntil, checkpoint, results } = details;
    super(`${method} ${sayLoss(details)}`, { cause });
    this.progress = progress;
    this.heldSince = heldSince;
    this.heldUntil = heldUntil;
    for (const [name, value] of Object.entries({ checkpoint, results }))
      Object.defineProperty(this, name, { value, configurable: true, writable: true });
  }
}

function sayLoss({
  heldSince,
  heldUntil,
  progress: { unsettled },
  unclaimed,
}: ConstructorParameters<typeof LeaseLostError>[0]): string {
  const since = heldSince === undefined ? "" : `since ${heldSince.toISOString()}, and `;
  if (heldUntil !== undefined)
    return `was not started: another run holds the lease ${since}until ${heldUntil.toISOString()}. Nothing was sent. Call again after that time, if the other run does not complete the work.`;
  if (unclaimed !== undefined)
    return `was not started: ${unclaimed}. Nothing was sent. Check the store and the id of the lease, then call again.`;
  const sent =
    unsettled === 0
      ? "No request is in progress."
      : `${unsettled} devices were sent and have no result yet.`;
  return `has lost its lease, and was ended. ${sent} The next owner of the lease looks them up before it sends anything: start the run again with the same lease.`;
}
