import { CheckpointError, checkOwner } from "@fieldmesh/core/internal";
import { whatEnded } from "./bulk-error.ts";
import type { BulkTarget } from "./checkpoint.ts";
import { run } from "./engine.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { NoLease, takeLease } from "./lease.ts";
import { createLogbook } from "./logbook.ts";
import { sortResults } from "./report.ts";
import { shareRun, type SharedRun } from "./shared-run.ts";
import type { CheckedStart } from "./start-run.ts";
import { createTraceStep } from "./trace-step.ts";
import type { AnyResult, PendingItem, Verb } from "./verb.ts";

/** Creates a run that starts when it is awaited or iterated. */
export function createRun<Item extends PendingItem>(
  { method, inputs, options, checkpoint, total, settings, readTarget }: CheckedStart,
  verb: Verb<Item>,
): SharedRun<AnyResult, unknown> {
  const { statuses } = verb;
  const { chunkSize, clock, lease } = settings;
  const lost = new AbortController();
  const signals = [settings.signal, ...(lease === undefined ? [] : [lost.signal])];
  const signal = anyOf(signals);
  const isCheckpointed = checkpoint !== undefined || options.onCheckpoint !== undefined;
  const traceStep = createTraceStep(method);
  let target: BulkTarget | undefined;
  let reading: Promise<void> | undefined;
  const logbook = createLogbook(
    { checkpoint, total, clock, method, statuses, chunkSize, target: () => target },
    options,
  );

  /** Reads the target. A run with checkpoints waits for it. Any other run reads it only for the checkpoint of an error. */
  async function findTarget(): Promise<void> {
    const read = async () => await readTarget({ signal });
    reading = traceStep("prepare", 0, read).then((found) => void (target = found));
    reading.catch(() => undefined);
    if (isCheckpointed)
      await logbook.during("organization.list has not responded yet", async () => await reading);
    if (checkpoint !== undefined && target !== undefined)
      checkOwner(checkpoint, { call: method, ...target });
  }

  async function* runAll(): AsyncGenerator<AnyResult, void, undefined> {
    const fence = lease && (await takeLease(lease, lost));
    try {
      await findTarget();
      const hadOwner = fence?.hadOwner === true;
      yield* run(verb, inputs, { ...settings, signal, traceStep, fence, hadOwner }, logbook);
    } finally {
      await fence?.end();
    }
  }

  async function toLeaseLost(
    { heldUntil, unclaimed, cause }: NoLease,
    results: readonly AnyResult[],
  ): Promise<Error> {
    await Promise.allSettled([reading]);
    const { progress, checkpoint: last, inFlight } = logbook;
    const details = { method, progress, inFlight, heldUntil, unclaimed, checkpoint: last };
    const sorted = { results: sortResults(results, statuses) };
    return new LeaseLostError({ ...details, ...sorted } as never, cause);
  }

  async function toError(
    happened: string,
    cause: unknown,
    results: readonly AnyResult[],
  ): Promise<Error> {
    await Promise.allSettled([reading]);
    const { progress, checkpoint: last, hasSent } = logbook;
    const state = { progress, checkpoint: last, hasSent, results: sortResults(results, statuses) };
    return verb.toError(state, happened, cause);
  }

  return shareRun({
    start: runAll,
    signal,
    report: (results) => ({
      ...logbook.progress,
      resumed: logbook.resumed,
      results: sortResults(results, statuses),
    }),
    async describe(error, results) {
      if (error instanceof CheckpointError) return error;
      const loss: unknown = lost.signal.aborted ? lost.signal.reason : error;
      if (loss instanceof NoLease) return await toLeaseLost(loss, results);
      if (signal?.aborted === true)
        return await toError("was ended by its signal.", signal.reason, results);
      const { happened, cause } = whatEnded(error);
      return await toError(happened, cause, results);
    },
    describeBreak: (results) => toError("was ended: its loop was left.", undefined, results),
  });
}

function anyOf(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((each) => each !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
