import type { BulkSettings, RunContext } from "./bulk-settings.ts";
import { untilAborted } from "@fieldmesh/http/internal";
import type { OpenChunk } from "./checkpoint.ts";
import { readChunks, settle } from "./chunks.ts";
import { openInputs, type Inputs } from "./inputs.ts";
import type { Logbook } from "./logbook.ts";
import { readBack } from "./read-back.ts";
import type { AnyResult, Chunk, PendingItem, Verb } from "./verb.ts";

// Their inputs stay in memory until one device list resolves all of them.
const MAX_OPEN_CHUNKS = 100;

/** Sends all inputs, and yields the results of each chunk once it is settled. */
export async function* run<Item extends PendingItem>(
  verb: Verb<Item>,
  inputs: Inputs,
  settings: BulkSettings & Pick<RunContext, "traceStep" | "fence"> & { readonly hadOwner: boolean },
  logbook: Logbook,
): AsyncGenerator<AnyResult, void, undefined> {
  if (logbook.resumed > 0) logbook.reportProgress();
  const opened = openInputs(inputs, settings.clock);
  const source = readChunks(opened, settings.chunkSize, verb);
  // Aborts the requests in progress when the caller stops iterating.
  const stop = new AbortController();
  const signal =
    settings.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, settings.signal]);
  const inner: RunContext = {
    ...settings,
    signal,
    during: logbook.during,
    countSend: logbook.countSend,
  };
  const chunksAtOnce = verb.chunksAtOnce(inner);
  const active = new Map<Chunk<Item>, Promise<{ sent: Chunk<Item> }>>();
  const open: Chunk<Item>[] = [];
  let upcoming = readNext(source);
  let failure: { error: unknown } | undefined;
  let isRead = false;
  let read = 0;
  /** The chunks to send. The first one waits until all chunks of the checkpoint are read and match it. */
  const checked: Checked<Item>[] = [];
  try {
    while ((failure === undefined && (!isRead || checked.length > 0)) || active.size > 0) {
      const hasRoom = failure === undefined && active.size < chunksAtOnce;
      const next = hasRoom && read >= logbook.covered ? checked.shift() : undefined;
      if (next !== undefined) {
        await admit(next);
        continue;
      }
      const events = [...active.values(), ...(hasRoom && !isRead ? [upcoming] : [])];
      const event = await untilAborted(Promise.race(events), signal);
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
        const earlier = logbook.look(event.next);
        if (earlier === "done") {
          verb.know(logbook.earlierSuccesses(event.next));
          yield* logbook.earlierProblems(event.next);
        } else checked.push({ chunk: event.next, earlier });
        upcoming = readNext(source);
      }
    }
    yield* resolveOpen();
  } finally {
    stop.abort();
    await Promise.allSettled(active.values());
    await opened.close();
  }
  if (failure !== undefined) throw (failure as { error: unknown }).error;

  /** Starts a chunk, unless an earlier run has sent it with an unknown outcome. */
  async function admit({ chunk, earlier: recorded }: Checked<Item>): Promise<void> {
    // An earlier owner of the lease may have sent it after its last checkpoint, or without any.
    const earlier = recorded ?? (settings.hadOwner ? IN_DOUBT : undefined);
    if (earlier !== undefined) {
      chunk.ambiguity = {
        since: settings.clock.now(),
        timedOut: earlier.kind === "at_work",
        hasResponded: earlier.kind === "responded",
        error: undefined,
      };
      chunk.hasResponse = earlier.kind === "responded";
      for (const item of chunk.pending) {
        item.sentBefore = true;
        item.hasResponse = earlier.kind === "responded";
      }
      logbook.mark(chunk);
      open.push(chunk);
      return;
    }
    if (chunk.pending.length > 0) await verb.prepare?.(chunk, inner);
    if (chunk.pending.length > 0) await logbook.opened(chunk);
    active.set(
      chunk,
      send(chunk.pending, [chunk]).then(() => ({ sent: chunk })),
    );
  }

  /** Sends inputs of some chunks. A failure that ends the run is kept until all other requests have ended. */
  async function send(batch: readonly Item[], chunks: readonly Chunk<Item>[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const outcome = await inner.traceStep("send", batch.length, () => verb.send(batch, inner));
      for (const chunk of chunks) {
        settle(chunk, batch, outcome);
        logbook.mark(chunk);
      }
      verb.know(batch.filter(({ index }) => SUCCESSES.has(outcome.results.get(index)?.status)));
    } catch (error) {
      failure ??= { error };
    }
  }

  /** Yields the results of a chunk if all of them are known. Otherwise sets the chunk aside. */
  async function* close(chunk: Chunk<Item>): AsyncGenerator<AnyResult, void, undefined> {
    if (chunk.pending.length === 0) {
      yield* chunk.results.sort((a, b) => a.index - b.index);
      await logbook.closed(chunk);
    } else if (chunk.ambiguity !== undefined) {
      open.push(chunk);
      if (chunk.ambiguity.timedOut || chunk.hasResponse) await logbook.opened(chunk);
    }
  }

  /** Reads back the outcome of all broken requests with one device list, and sends again what was certainly not carried out. */
  async function* resolveOpen(): AsyncGenerator<AnyResult, void, undefined> {
    while (open.length > 0 && failure === undefined) {
      const chunks = open.splice(0);
      try {
        const size = chunks.reduce((sum, { pending }) => sum + pending.length, 0);
        const look = async () => await readBack(verb, chunks, inner);
        const missing = await inner.traceStep("read_back", size, look);
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

/** A chunk to send, and what an earlier run recorded for it. */
interface Checked<Item extends PendingItem> {
  readonly chunk: Chunk<Item>;
  readonly earlier: typeof IN_DOUBT | undefined;
}

const SUCCESSES: ReadonlySet<unknown> = new Set(["created", "done"]);
const IN_DOUBT: Pick<OpenChunk, "kind"> = { kind: "maybe" };

/** Reads the next chunk. If the source throws, the error becomes an event, so that requests in progress are still awaited. */
async function readNext<Item extends PendingItem>(
  source: AsyncGenerator<Chunk<Item>, void, undefined>,
): Promise<{ next: Chunk<Item> | undefined } | { broken: unknown }> {
  try {
    const { done, value } = await source.next();
    return { next: done === true ? undefined : value };
  } catch (error) {
    return { broken: error };
  }
}
