import { systemClock, type Clock } from "@fieldmesh/core";
import type { NewDevice } from "../device.ts";
import type { CreateManyOptions, CreateManyRun, CreateResult } from "./bulk-types.ts";
import { BulkError, whatHappened } from "./bulk-error.ts";
import {
  checkCheckpoint,
  checkTarget,
  ForeignCheckpointError,
  type BulkTarget,
} from "./checkpoint.ts";
import { readChunks, settle, type Chunk, type PendingDevice } from "./chunks.ts";
import {
  readBulkSettings,
  type DeviceMethods,
  type BulkSettings,
  type RunContext,
} from "./bulk-settings.ts";
import { createLogbook, type Logbook } from "./logbook.ts";
import { readBack, readIds } from "./read-back.ts";
import { sortResults, toReport } from "./report.ts";
import { sendBatch } from "./send-batch.ts";
import { shareRun } from "./shared-run.ts";

// Their devices are held in memory until one device list resolves all of them.
const MAX_OPEN_CHUNKS = 100;

/** The method over several rows of devices. */
export interface BulkCreation {
  /**
   * Create any number of devices, in requests of up to 1,000. Every device of the input has exactly one result:
   * `created`, `failed` or `unknown`.
   *
   * A request that breaks is not simply resent: after `settleTime` the device list is read, once for all broken requests,
   * devices are matched by dev_eui, app_eui and app_key, and only missing devices are sent. After a time-out the server
   * may still be working, so missing devices end as `unknown` and are not sent. A device that is in the input twice is
   * sent once. After a stop or a kill, a run resumes from its last `onCheckpoint`.
   *
   * What it cannot promise: where the console allows duplicates, a server that works on a reset request for longer than
   * `settleTime` can create a device twice; and a device that existed before, with the same key, counts as created when
   * its request broke.
   *
   * @example
   * ```ts
   * const report = await client.devices.createMany(devices, { onProgress: ({ settled }) => console.log(settled) });
   * for (const { index, error } of report.results.failed) console.error(`row ${index + 1}: ${error}`);
   * ```
   */
  createMany(
    devices: Iterable<NewDevice> | AsyncIterable<NewDevice>,
    options?: CreateManyOptions,
  ): CreateManyRun;
}

/** Creates the run of `devices.createMany`. */
export function createMany(
  methods: DeviceMethods,
  devices: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  options: CreateManyOptions = {},
  clock: Clock = systemClock,
): CreateManyRun {
  const checkpoint =
    options.checkpoint === undefined
      ? undefined
      : checkCheckpoint(options.checkpoint, options.chunkSize);
  if (!isIterable(devices))
    throw new TypeError(
      "createMany takes an array of devices, or another (async) iterable of them.",
    );
  const start = { checkpoint, total: lengthOf(devices), clock };
  const settings = readBulkSettings(options, start);
  const isCheckpointed = checkpoint !== undefined || options.onCheckpoint !== undefined;
  let target: BulkTarget | undefined;
  let reading: Promise<void> | undefined;
  const logbook = createLogbook(settings.chunkSize, start, () => target, options);
  /** Only a run with checkpoints waits for its target; any other reads it for the checkpoint of an error. */
  const findTarget = async (): Promise<void> => {
    reading = methods.target({ signal: settings.signal }).then((found) => void (target = found));
    reading.catch(() => undefined);
    if (isCheckpointed)
      await logbook.during("organization.list has not responded yet", async () => await reading);
    if (checkpoint !== undefined && target !== undefined) checkTarget(checkpoint, target);
  };
  const toError = async (
    happened: string,
    cause: unknown,
    results: readonly CreateResult[],
  ): Promise<BulkError> => {
    await Promise.allSettled([reading]);
    const { progress, checkpoint: last } = logbook;
    return new BulkError(
      { progress, checkpoint: last, results: sortResults(results) },
      happened,
      cause,
    );
  };
  return shareRun({
    start: () => run(methods, devices, settings, logbook, findTarget),
    report: (results) => toReport(results, logbook),
    async describe(error, results) {
      if (error instanceof ForeignCheckpointError) return error;
      const { signal } = settings;
      return signal?.aborted === true
        ? await toError("was ended by its signal.", signal.reason, results)
        : await toError(whatHappened(error), error, results);
    },
    describeBreak: (results) => toError("was ended: its loop was left.", undefined, results),
  });
}

async function* run(
  methods: DeviceMethods,
  devices: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  settings: BulkSettings,
  logbook: Logbook,
  findTarget: () => Promise<void>,
): AsyncGenerator<CreateResult, void, undefined> {
  await findTarget();
  if (logbook.resumed > 0) logbook.tell();
  const source = readChunks(devices, settings.chunkSize, methods.observedRules);
  // Ends the requests in progress when the caller stops iterating.
  const stop = new AbortController();
  const signal =
    settings.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, settings.signal]);
  const inner: RunContext = { ...settings, signal, during: logbook.during };
  /** Read once, by the first chunk that is sent. */
  let existing: ReadonlyMap<string, string> | undefined;
  const active = new Map<Chunk, Promise<{ sent: Chunk }>>();
  const open: Chunk[] = [];
  let upcoming = readNext(source);
  let failure: { error: unknown } | undefined;
  let isRead = false;
  let read = 0;
  /** Chunks to send. The first waits until all that the checkpoint covers are read and are the ones that it saw. */
  const checked: Chunk[] = [];
  try {
    while ((failure === undefined && (!isRead || checked.length > 0)) || active.size > 0) {
      const hasRoom = failure === undefined && active.size < settings.concurrency;
      const next = hasRoom && read >= logbook.covered ? checked.shift() : undefined;
      if (next !== undefined) {
        await admit(next);
        continue;
      }
      const event = await Promise.race([
        ...active.values(),
        ...(hasRoom && !isRead ? [upcoming] : []),
      ]);
      if ("sent" in event) {
        active.delete(event.sent);
        yield* close(event.sent);
        if (open.length >= MAX_OPEN_CHUNKS) yield* resolveOpen();
      } else if ("broken" in event) {
        failure ??= { error: event.broken };
      } else if (event.next === undefined) {
        isRead = true;
        logbook.checkEnd(read);
      } else {
        read++;
        if (logbook.look(event.next) === "done") yield* logbook.earlierProblems(event.next);
        else checked.push(event.next);
        upcoming = readNext(source);
      }
    }
    yield* resolveOpen();
  } finally {
    stop.abort();
    await Promise.allSettled(active.values());
    await source.return();
  }
  if (failure !== undefined) throw (failure as { error: unknown }).error;

  /** Starts a chunk, unless an earlier run has sent it and does not know the outcome. */
  async function admit(chunk: Chunk): Promise<void> {
    const earlier = logbook.look(chunk);
    if (earlier !== undefined && earlier !== "done") {
      chunk.ambiguity = {
        since: settings.clock.now(),
        timedOut: earlier.timedOut,
        error: undefined,
      };
      for (const device of chunk.pending) device.sentBefore = true;
      open.push(chunk);
      return;
    }
    if (settings.skips && chunk.pending.length > 0)
      skipExisting(chunk, (existing ??= await readIds(methods, inner)));
    if (chunk.pending.length > 0) await logbook.opened(chunk);
    active.set(
      chunk,
      send(chunk.pending, [chunk]).then(() => ({ sent: chunk })),
    );
  }

  /** Sends devices of some chunks in one request; a failure that ends the run is kept until all other requests have ended. */
  async function send(batch: readonly PendingDevice[], chunks: readonly Chunk[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const outcome = await sendBatch(methods, batch, inner);
      for (const chunk of chunks) settle(chunk, batch, outcome);
    } catch (error) {
      failure ??= { error };
    }
  }

  /** Yields the results of a chunk once all of them are known, and puts the chunk aside otherwise. */
  async function* close(chunk: Chunk): AsyncGenerator<CreateResult, void, undefined> {
    if (chunk.pending.length === 0) {
      yield* chunk.results.sort((a, b) => a.index - b.index);
      await logbook.closed(chunk);
    } else if (chunk.ambiguity !== undefined) {
      open.push(chunk);
      if (chunk.ambiguity.timedOut) await logbook.opened(chunk);
    }
  }

  /** Reads back the outcome of all broken requests with one device list, and resends the devices that are certainly missing. */
  async function* resolveOpen(): AsyncGenerator<CreateResult, void, undefined> {
    while (open.length > 0 && failure === undefined) {
      const chunks = open.splice(0);
      try {
        const missing = await readBack(methods, chunks, inner);
        for (let at = 0; at < missing.length; at += settings.chunkSize) {
          if (failure === undefined) await send(missing.slice(at, at + settings.chunkSize), chunks);
        }
      } catch (error) {
        failure = { error };
      }
      for (const chunk of chunks) yield* close(chunk);
    }
  }
}

/** Reads the next chunk; a source that throws becomes an event, so that requests in progress are still awaited. */
async function readNext(
  source: AsyncGenerator<Chunk, void, undefined>,
): Promise<{ next: Chunk | undefined } | { broken: unknown }> {
  try {
    const { done, value } = await source.next();
    return { next: done === true ? undefined : value };
  } catch (error) {
    return { broken: error };
  }
}

/** Settles the devices of a chunk that were in the console before anything was sent. */
function skipExisting(chunk: Chunk, existing: ReadonlyMap<string, string>): void {
  chunk.pending = chunk.pending.filter(({ index, dev_eui, triple }) => {
    const id = existing.get(triple);
    if (id !== undefined) chunk.results.push({ status: "skipped", index, dev_eui, id });
    return id === undefined;
  });
}

/** The number of devices of an array, a Set or the like. */
function lengthOf(devices: object): number | undefined {
  const { length, size } = devices as { length?: unknown; size?: unknown };
  return [length, size].find((each) => typeof each === "number");
}

function isIterable(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}
