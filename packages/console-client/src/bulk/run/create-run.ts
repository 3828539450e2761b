import { CheckpointError, checkOwner } from "@fieldmesh/core/internal";
import { CallersError, whatEnded } from "./bulk-error.ts";
import { checkCheckpoint, type BulkTarget } from "./checkpoint.ts";
import { run } from "./engine.ts";
import { openInputs } from "./inputs.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import { leaseIdOf, NoLease, takeLease } from "./lease.ts";
import { createLogbook } from "./logbook.ts";
import { shareRun, type SharedRun } from "./shared-run.ts";
import type { CheckedStart } from "./start-run.ts";
import { createTraceStep } from "./trace-step.ts";
import type { AnyResult, PendingItem, RunState, Status, Verb } from "./run-parts.ts";

/** Creates a run that starts when it is awaited or iterated. */
export function createRun<Item extends PendingItem>(
  {
    method,
    inputs,
    options,
    checkpoint: given,
    total,
    isList,
    settings: asked,
    readTarget,
  }: CheckedStart,
  verb: Verb<Item>,
): SharedRun<AnyResult, unknown> {
  const checkpoint =
    given === undefined ? undefined : checkCheckpoint(given, method, options.chunkSize);
  const settings = { ...asked, chunkSize: checkpoint?.chunkSize ?? asked.chunkSize };
  const { statuses } = verb;
  const { chunkSize, clock, lease } = settings;
  const lost = new AbortController();
  const own = settings.signal === undefined ? [] : [settings.signal];
  const signal = lease === undefined ? settings.signal : AbortSignal.any([...own, lost.signal]);
  const isCheckpointed = checkpoint !== undefined || options.onCheckpoint !== undefined;
  const traceStep = createTraceStep(method);
  let target: BulkTarget | undefined;
  let reading: Promise<void> | undefined;
  const { timeout } = settings;
  const logbook = createLogbook(
    { checkpoint, total, clock, method, statuses, chunkSize, timeout, target: () => target },
    options,
  );
  const { results } = logbook;

  /** Reads the target. A run with checkpoints waits for it. Any other run reads it only for the checkpoint of an error. */
  async function findTarget(): Promise<void> {
    const read = async () => target ?? (await readTarget({ signal }));
    reading = traceStep("prepare", 0, read).then((found) => void (target = found));
    reading.catch(() => undefined);
    if (isCheckpointed)
      await logbook.during("organization.list has not responded yet", async () => await reading);
    if (checkpoint !== undefined && target !== undefined)
      checkOwner(checkpoint, { call: method, ...target });
  }

  /** Identifies the work by its content, and by the place where it is done. */
  async function idOfContent(): Promise<string> {
    target = await traceStep("prepare", 0, async () => await readTarget({ signal }));
    return await leaseIdOf(verb, openInputs(inputs, clock), target);
  }

  async function* runAll(): AsyncGenerator<void, void, undefined> {
    const fence =
      lease && (await takeLease({ ...lease, id: lease.id ?? (await idOfContent()) }, lost));
    const opened = openInputs(inputs, clock);
    const hadOwner = fence?.hadOwner === true;
    let isFinished = false;
    try {
      await findTarget();
      if (isList) await verb.survey?.(openInputs(inputs, clock), { clock, signal });
      yield* run(verb, opened, { ...settings, signal, traceStep, fence, hadOwner }, logbook);
      isFinished = true;
    } catch (error) {
      // The loop receives what was settled last, and asks for more.
      yield;
      if (isStorable(error)) await logbook.saveLast();
      throw error;
    } finally {
      const closing = opened.close();
      if (signal?.aborted !== true) await closing;
      await fence?.end(isFinished || !(hadOwner || logbook.hasBegun));
    }
  }

  /** After a lost lease, another run may store checkpoints. */
  function isStorable(error: unknown): boolean {
    if (lost.signal.aborted || error instanceof CheckpointError) return false;
    return !(error instanceof CallersError && error.thrower === "onCheckpoint");
  }

  /** How far the run was when it ended. */
  async function lastState(): Promise<RunState> {
    await Promise.allSettled([reading]);
    logbook.end();
    const { progress, checkpoint: last, hasBegun } = logbook;
    const sorted = sortResults(results, statuses);
    const known = { method, checkpoint: last, hasBegun };
    return { ...known, progress: progress as never, results: sorted as never };
  }

  const toError = async (happened: string, cause: unknown) =>
    verb.toError(await lastState(), happened, cause);

  return shareRun({
    start: runAll,
    signal,
    results,
    report: () => ({
      ...logbook.progress,
      resumed: logbook.resumed,
      results: sortResults(results, statuses),
    }),
    async describe(error) {
      if (error instanceof CheckpointError) return error;
      const loss: unknown = lost.signal.aborted ? lost.signal.reason : error;
      if (loss instanceof NoLease) {
        const { heldSince, heldUntil, unclaimed, cause } = loss;
        const why = { heldSince, heldUntil, unclaimed };
        return new LeaseLostError({ ...(await lastState()), ...why }, cause);
      }
      if (signal?.aborted === true) return await toError("was ended by its signal.", signal.reason);
      const { happened, cause } = whatEnded(error);
      return await toError(happened, cause);
    },
    describeBreak: () => toError("was ended: its loop was left.", undefined),
  });
}

/** Sorts results by kind, each list in the order of the input. */
function sortResults(results: readonly AnyResult[], statuses: readonly Status[]) {
  const all = results.toSorted((a, b) => a.index - b.index);
  return Object.fromEntries(
    statuses.map((status) => [status, all.filter((each) => each.status === status)]),
  );
}
