import { guardInput, requireOptions, systemClock } from "@fieldmesh/core";
import type { CallOptions } from "@fieldmesh/http";
import { readBulkSettings, type AnyOptions, type BulkDefaults } from "./bulk-settings.ts";
import { whatHappened } from "./bulk-error.ts";
import {
  checkCheckpoint,
  checkTarget,
  ForeignCheckpointError,
  type BulkTarget,
} from "./checkpoint.ts";
import { run, type Inputs } from "./engine.ts";
import { createLogbook } from "./logbook.ts";
import { sortResults } from "./report.ts";
import { createTraceStep } from "./trace-step.ts";
import { shareRun, type SharedRun } from "./shared-run.ts";
import type { AnyResult, PendingItem, Verb } from "./verb.ts";

/** What a run of any verb is created from. */
export interface RunInit<Item extends PendingItem> {
  readonly verb: Verb<Item>;
  readonly inputs: Inputs;
  readonly options: AnyOptions;
  readonly defaults: BulkDefaults;
  /** Reads where the client changes devices. */
  readonly readTarget: (options: CallOptions) => Promise<BulkTarget>;
}

/** Checks inputs and options, and returns a run that starts when it is awaited or iterated. */
export function startRun<Item extends PendingItem>(
  init: RunInit<Item>,
): SharedRun<AnyResult, unknown> {
  const { inputs, options } = init;
  return guardInput(`An argument of ${nameOf(init.verb.method)}`, [inputs, options], () =>
    prepareRun(init),
  );
}

function prepareRun<Item extends PendingItem>({
  verb,
  inputs,
  options,
  defaults,
  readTarget,
}: RunInit<Item>): SharedRun<AnyResult, unknown> {
  const { method, statuses } = verb;
  requireOptions(nameOf(method), options, "such as { signal }");
  const checkpoint =
    options.checkpoint === undefined
      ? undefined
      : checkCheckpoint(options.checkpoint, method, options.chunkSize);
  if (!isIterable(inputs))
    throw new TypeError(
      `${nameOf(method)} requires an array of devices, or another (async) iterable of them.`,
    );
  const start = { checkpoint, total: lengthOf(inputs), clock: systemClock };
  const settings = readBulkSettings(nameOf(method), options, defaults, start);
  const { signal, chunkSize } = settings;
  const isCheckpointed = checkpoint !== undefined || options.onCheckpoint !== undefined;
  const traceStep = createTraceStep(method);
  let target: BulkTarget | undefined;
  let reading: Promise<void> | undefined;
  const logbook = createLogbook(
    { ...start, method, statuses, chunkSize, target: () => target },
    options,
  );

  /** Reads the target. A run with checkpoints waits for it. Any other run reads it only for the checkpoint of an error. */
  async function findTarget(): Promise<void> {
    const read = async () => await readTarget({ signal });
    reading = traceStep("prepare", 0, read).then((found) => void (target = found));
    reading.catch(() => undefined);
    if (isCheckpointed)
      await logbook.during("organization.list has not responded yet", async () => await reading);
    if (checkpoint !== undefined && target !== undefined) checkTarget(checkpoint, target);
  }

  async function* runAll(): AsyncGenerator<AnyResult, void, undefined> {
    await findTarget();
    yield* run(verb, inputs, { ...settings, traceStep }, logbook);
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
      if (error instanceof ForeignCheckpointError) return error;
      return signal?.aborted === true
        ? await toError("was ended by its signal.", signal.reason, results)
        : await toError(whatHappened(error), error, results);
    },
    describeBreak: (results) => toError("was ended: its loop was left.", undefined, results),
  });
}

/** Returns `createMany` for `devices.createMany`. */
function nameOf(method: string): string {
  return method.replace("devices.", "");
}

/** Returns the number of inputs of an array, a Set or a similar collection. */
function lengthOf(inputs: object): number | undefined {
  const { length, size } = inputs as { length?: unknown; size?: unknown };
  return [length, size].find((each) => typeof each === "number");
}

function isIterable(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}
