import { ENDED } from "@fieldmesh/core/internal";
import { untilAborted } from "@fieldmesh/http/internal";
import { twice, type BulkSettings, type RunContext } from "./bulk-settings.ts";
import type { OpenChunk } from "./checkpoint.ts";
import { readChunks, recall, settle } from "./chunks.ts";
import type { OpenInputs } from "./inputs.ts";
import type { Logbook } from "./logbook.ts";
import { readBack } from "./read-back.ts";
import type { BatchOutcome, Chunk, PendingItem, Verb } from "./run-parts.ts";

// Their inputs stay in memory until one device list resolves all of them.
const MAX_OPEN_CHUNKS = 100;

/** What a run starts with, besides its settings. */
export interface EngineSettings extends BulkSettings, Pick<RunContext, "traceStep" | "fence"> {
  /** Another run may have held the lease before, and may have sent any chunk. */
  readonly hadOwner: boolean;
}

/** Sends all inputs. Adds the results of each chunk to those of the logbook once it is settled, and yields then. */
export async function* run<Item extends PendingItem>(
  verb: Verb<Item>,
  inputs: OpenInputs,
  settings: EngineSettings,
  logbook: Logbook,
): AsyncGenerator<void, void, undefined> {
  if (logbook.resumed > 0) logbook.reportProgress();
  const source = readChunks(inputs, settings.chunkSize, verb);
  const { clock, traceStep } = settings;
  const limit = twice(settings.timeout);
  const startedAt = clock.now();
  // Aborts the requests in progress when the caller stops iterating.
  const stop = new AbortController();
  const signal =
    settings.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, settings.signal]);
  const save = () => untilAborted(logbook.save(), signal);
  const inner = { ...settings, signal, during: logbook.during };
  const context: RunContext = { ...inner, announce: () => Promise.resolve() };
  const chunksAtOnce = verb.chunksAtOnce(context);
  const active = new Map<Chunk<Item>, Promise<Step<Item>>>();
  /** Chunks whose outcome is looked up at the end. */
  const open: Chunk<Item>[] = [];
  let upcoming: Promise<Step<Item>> | undefined = readNext(source);
  let failure: BatchOutcome["failure"];
  /** The chunks to send. The first one waits until all chunks of the checkpoint are read and match it. */
  const checked: Checked<Item>[] = [];
  try {
    while ((failure === undefined && (upcoming ?? checked[0]) !== undefined) || active.size > 0) {
      const hasRoom = failure === undefined && active.size < chunksAtOnce;
      const next = hasRoom && logbook.isChecked ? checked.shift() : undefined;
      if (next !== undefined) {
        await admit(next);
        continue;
      }
      const events = [...active.values(), ...(hasRoom && upcoming ? [upcoming] : [])];
      const step = await untilAborted(Promise.race(events), signal);
      if (step.kind === "sent") {
        active.delete(step.chunk);
        yield* close(step.chunk);
        if (open.length >= MAX_OPEN_CHUNKS) yield* resolveOpen();
      } else if (step.kind === "read") {
        upcoming = readNext(source);
        yield* check(step.chunk);
      } else {
        upcoming = undefined;
        if (step.kind === "broken") failure ??= step;
        else logbook.checkEnd();
      }
    }
    yield* resolveOpen();
    if (failure !== undefined) throw (failure as { error: unknown }).error;
  } finally {
    stop.abort(ENDED);
    await Promise.allSettled(active.values());
    logbook.deliverSettled();
  }

  /** Compares a chunk with the checkpoint. One that an earlier run settled is not sent. */
  async function* check(chunk: Chunk<Item>): AsyncGenerator<void, void, undefined> {
    const earlier = logbook.look(chunk);
    if (earlier !== "done") return void checked.push({ chunk, earlier });
    verb.know(logbook.earlierSuccesses(chunk));
    if (!logbook.deliverEarlier(chunk)) return;
    yield;
    logbook.received();
  }

  /** Starts a chunk. Inputs that an earlier run has sent with an unknown outcome are looked up at the end. */
  async function admit({ chunk, earlier }: Checked<Item>): Promise<void> {
    // An earlier owner of the lease may have sent it after its last checkpoint, or without any.
    const doubted = earlier ?? (settings.hadOwner ? MAYBE : undefined);
    if (doubted !== undefined) {
      recall(chunk, doubted);
      chunk.until = logbook.endOf(doubted, startedAt);
    }
    logbook.begin(chunk);
    const isNew = ({ doubt }: Item): boolean => doubt === undefined;
    if (chunk.pending.some(isNew)) await verb.prepare?.(chunk, context);
    const fresh = chunk.pending.filter(isNew);
    active.set(
      chunk,
      send(fresh, [chunk]).then(() => ({ kind: "sent", chunk })),
    );
  }

  /** Sends inputs of some chunks. A failure that ends the run is kept until all other requests have ended. */
  async function send(batch: readonly Item[], all: readonly Chunk<Item>[]): Promise<void> {
    if (batch.length === 0) return;
    const sent = new Set(batch);
    const chunks = all.filter(({ pending }) => pending.some((item) => sent.has(item)));
    const before = chunks.map(({ until }) => until);
    /** Another request with inputs of a chunk, in an earlier run, may end later than this one. */
    const endAt = (time: number): void => {
      for (const [at, chunk] of chunks.entries()) chunk.until = Math.max(before[at] ?? 0, time);
    };
    let storedUntil = 0;
    /** Called before each request. A checkpoint that says until when it may be at work is stored then. */
    async function announce(): Promise<void> {
      for (const chunk of chunks) chunk.isAtWork = true;
      while (storedUntil < clock.now() + limit) storedUntil = await save();
      endAt(clock.now() + limit);
    }
    const work = () => verb.send(batch, { ...context, announce });
    const outcome = await traceStep("send", batch.length, work).catch(
      (error: unknown): BatchOutcome => ({ results: new Map(), failure: { error } }),
    );
    for (const chunk of chunks) {
      settle(chunk, outcome);
      chunk.isAtWork = false;
    }
    // An aborted request may be at work until its own time limit.
    if (!signal.aborted) endAt(clock.now());
    failure ??= outcome.failure;
    verb.know(batch.filter(({ index }) => SUCCESSES.has(outcome.results.get(index)?.status)));
  }

  /** Delivers the results of a chunk if all of them are known. Otherwise sets the chunk aside. */
  async function* close(chunk: Chunk<Item>): AsyncGenerator<void, void, undefined> {
    if (chunk.pending.length > 0) return void open.push(chunk);
    logbook.deliver(chunk);
    yield;
    logbook.received();
    await save();
    logbook.reportProgress();
  }

  /** Reads back the outcome of all broken requests with one device list, and sends again what was certainly not carried out. */
  async function* resolveOpen(): AsyncGenerator<void, void, undefined> {
    while (open.length > 0 && failure === undefined) {
      const chunks = open.splice(0);
      try {
        const size = chunks.reduce((sum, { pending }) => sum + pending.length, 0);
        const look = async () => await readBack(verb, chunks, context);
        const missing = await traceStep("read_back", size, look);
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

/** What happens next in a run: a chunk is read or was sent, or its source has ended or threw. */
type Step<Item extends PendingItem> =
  | { readonly kind: "read" | "sent"; readonly chunk: Chunk<Item> }
  | { readonly kind: "ended" }
  | { readonly kind: "broken"; readonly error: unknown };

/** A chunk to send, and what an earlier run recorded for it. */
interface Checked<Item extends PendingItem> {
  readonly chunk: Chunk<Item>;
  readonly earlier: OpenChunk | undefined;
}

const SUCCESSES: ReadonlySet<unknown> = new Set(["created", "done"]);
/** What is known of a chunk that only an earlier owner of the lease may have sent. */
const MAYBE = { kind: "maybe", until: 0, writer: "" } as const;

/** Reads the next chunk. If the source throws, the error becomes a step, so that requests in progress are still awaited. */
async function readNext<Item extends PendingItem>(
  source: AsyncGenerator<Chunk<Item>, void, undefined>,
): Promise<Step<Item>> {
  try {
    const { done, value } = await source.next();
    return done === true ? { kind: "ended" } : { kind: "read", chunk: value };
  } catch (error) {
    return { kind: "broken", error };
  }
}
