import { CheckpointError, checkOwner } from "@fieldmesh/core/internal";
import { whatEnded } from "./bulk-error.ts";
import type { BulkTarget } from "./checkpoint.ts";
import { run } from "./engine.ts";
import { openInputs } from "./inputs.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { NoLease, takeLease } from "./lease.ts";
import { createLogbook } from "./logbook.ts";
import { shareRun, type SharedRun } from "./shared-run.ts";
import type { CheckedStart } from "./start-run.ts";
import { createTraceStep } from "./trace-step.ts";
import type { AnyResult, PendingItem, RunState, Status, Verb } from "./verb.ts";

/** Creates a run that starts when it is awaited or iterated. */
export function createRun<Item extends PendingItem>(
  { method, inputs, options, checkpoint, total, settings, readTarget }: CheckedStart,
  verb: Verb<Item>,
): SharedRun<AnyResult, unknown> {
  const { statuses } = verb;
  const { chunkSize, clock, lease } = settings;
  const canReadTwice = total !== undefined && !(Symbol.asyncIterator in inputs);
  const lost = new AbortController();
  const given = settings.signal === undefined ? [] : [settings.signal];
  const signal = lease === undefined ? settings.signal : AbortSignal.any([...given, lost.signal]);
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
      if (canReadTwice) await verb.survey?.(openInputs(inputs, clock), { clock, signal });
      const hadOwner = fence?.hadOwner === true;
      yield* run(verb, inputs, { ...settings, signal, traceStep, fence, hadOwner }, logbook);
    } finally {
      await fence?.end();
    }
  }

  /** How far the run was when it ended. */
  async function stateAt(results: readonly AnyResult[]): Promise<RunState> {
    await Promise.allSettled([reading]);
    const { progress, checkpoint: last, hasSent, inFlight } = logbook;
    const sorted = sortResults(results, statuses);
    const known = { method, checkpoint: last, hasSent, inFlight };
    return { ...known, progress: progress as never, results: sorted as never };
  }

  const toError = async (happened: string, cause: unknown, results: readonly AnyResult[]) =>
    verb.toError(await stateAt(results), happened, cause);

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
      if (loss instanceof NoLease) {
        const { heldUntil, unclaimed, cause } = loss;
        return new LeaseLostError({ ...(await stateAt(results)), heldUntil, unclaimed }, cause);
      }
      if (signal?.aborted === true)
        return await toError("was ended by its signal.", signal.reason, results);
      const { happened, cause } = whatEnded(error);
      return await toError(happened, cause, results);
    },
    describeBreak: (results) => toError("was ended: its loop was left.", undefined, results),
  });
}

/** Sorts results by kind, each list in the order of the input. */
function sortResults(results: readonly AnyResult[], statuses: readonly Status[]) {
  const all = results.toSorted((a, b) => a.index - b.index);
  return Object.fromEntries(
    statuses.map((status) => [status, all.filter((each) => each.status === status)]),
  );
}
