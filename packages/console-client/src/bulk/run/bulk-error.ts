import { FieldmeshError, isFieldmeshError } from "@fieldmesh/core";
import type { BulkProgress, BulkResults } from "./bulk-types.ts";
import type { ChangeProgress, ChangeResults } from "./change-types.ts";
import type { BulkCheckpoint } from "./checkpoint.ts";

/** The fields of the errors of all runs. Logs show `progress`. The other members are not enumerable. */
export abstract class RunError<Progress, Results> extends FieldmeshError {
  /** How far the run was, including earlier runs of its checkpoint. */
  readonly progress: Progress;
  /** Where to resume. `undefined` if the organization, which a checkpoint names, could not be read. */
  declare readonly checkpoint: BulkCheckpoint | undefined;
  /** The results of this run so far, including those that a loop received. */
  declare readonly results: Results;

  constructor(
    run: Pick<RunError<Progress, Results>, "progress" | "checkpoint" | "results"> & {
      readonly method: string;
      /** Whether a device may have been created or changed, by this run or an earlier one of its checkpoint. */
      readonly hasBegun: boolean;
    },
    happened: string,
    cause: unknown,
  ) {
    const { progress, checkpoint, results } = run;
    const numbers = numbersOf(progress as Counts);
    super(`${run.method} ${happened} ${numbers} ${advice(run)}`, { cause });
    this.progress = progress;
    for (const [name, value] of Object.entries({ checkpoint, results }))
      Object.defineProperty(this, name, { value, configurable: true, writable: true });
  }
}

/**
 * Thrown when a run of `devices.createMany` ends before all devices are settled. `cause` is the reason: the error of a request
 * that would affect every other chunk, the error of the input or of `onCheckpoint`, or the reason of the signal.
 *
 * Logs show `progress`. `checkpoint`, `results` and `cause` are not enumerable.
 *
 * @example
 * ```ts
 * if (error instanceof BulkError) await save(error.checkpoint);
 * ```
 */
export class BulkError extends RunError<BulkProgress, BulkResults> {
  protected static override readonly errorName: string = "BulkError";
}

/**
 * Thrown when a run of `devices.deleteMany`, `setActiveMany`, `addLabelMany` or `removeLabelMany` ends before all devices are
 * settled. It works like {@link BulkError} for `devices.createMany`.
 *
 * @example
 * ```ts
 * if (error instanceof BulkChangeError) await save(error.checkpoint);
 * ```
 */
export class BulkChangeError extends RunError<ChangeProgress, ChangeResults> {
  protected static override readonly errorName: string = "BulkChangeError";
}

/** Carries an error of the caller's code to the end of the run. */
export class CallersError extends Error {
  readonly thrower: "the input" | "onCheckpoint";
  readonly thrown: unknown;

  constructor(thrower: CallersError["thrower"], thrown: unknown) {
    super("the caller's code threw");
    this.thrower = thrower;
    this.thrown = thrown;
  }
}

/** Describes what ended a run. The message of a foreign error may contain anything, even a key, so it stays in `cause`. */
export function whatEnded(error: unknown): { readonly happened: string; readonly cause: unknown } {
  const isCallers = error instanceof CallersError;
  const cause = isCallers ? error.thrown : error;
  if (isFieldmeshError(cause)) return { happened: `ended early: ${cause.message}`, cause };
  const what = isCallers ? `: ${error.thrower} threw an error` : " because of an unexpected error";
  return { happened: `ended early${what}; see \`cause\`.`, cause };
}

interface Counts {
  readonly created?: number;
  readonly done?: number;
  readonly skipped?: number;
  readonly failed: number;
  readonly unknown: number;
  readonly unsettled: number;
}

function numbersOf({ created, done = 0, skipped = 0, failed, unknown, unsettled }: Counts): string {
  const succeeded = created === undefined ? `${done} done` : `${created} created`;
  const existing = skipped > 0 ? `, ${skipped} skipped` : "";
  const open =
    unsettled > 0 ? `; ${unsettled} were sent and have no result yet: resume to settle them` : "";
  return `Until then: ${succeeded}, ${failed} failed, ${unknown} unknown${existing}${open}.`;
}

function advice({
  method,
  checkpoint,
  hasBegun,
}: {
  readonly method: string;
  readonly checkpoint: BulkCheckpoint | undefined;
  readonly hasBegun: boolean;
}): string {
  const name = method.replace("devices.", "");
  if (!hasBegun) return `No device was created or changed: call ${name} again.`;
  return checkpoint === undefined
    ? "There is no checkpoint, because the organization could not be read: compare devices.list with the input before you send it again."
    : `To resume, call ${name} with the same devices and the \`checkpoint\` of this error.`;
}
