import type { CreateResult } from "./bulk-types.ts";
import type { Chunk, PendingDevice } from "./chunks.ts";
import type { DeviceMethods, RunContext } from "./bulk-settings.ts";

// The list of a large fleet takes longer than a request with 1,000 devices, and nothing is lost by waiting for it.
const LIST_TIMEOUT = 120_000;
// After so many rounds, the devices that are still missing become `unknown`.
const MAX_ROUNDS = 8;

/**
 * Reads back what became of chunks whose requests broke, with one device list for all of them, and returns the devices
 * that are certainly missing, to be resent.
 *
 * Found devices become results. Of a chunk that timed out the missing ones become `unknown`: the server may still
 * create them. A chunk of which only some devices are found is read back again: the server may still be working on it.
 */
export async function readBack(
  methods: DeviceMethods,
  chunks: readonly Chunk[],
  context: RunContext,
): Promise<PendingDevice[]> {
  const { clock, settleTime, signal } = context;
  const settledAt = Math.max(
    ...chunks.map(({ ambiguity }) => (ambiguity?.since ?? 0) + settleTime),
  );
  const wait = settledAt - clock.now();
  if (wait > 0) await context.during(whyWait(chunks), () => clock.sleep(wait, signal), settledAt);
  const triples = new Set(chunks.flatMap(({ pending }) => pending.map(({ triple }) => triple)));
  const ids = await readIds(methods, context, (triple) => triples.has(triple));
  return chunks.flatMap((chunk) => {
    chunk.rounds++;
    const found = takeFound(chunk, ids);
    const { ambiguity } = chunk;
    if (chunk.pending.length === 0) return [];
    if (ambiguity?.timedOut === true || chunk.rounds > MAX_ROUNDS) return giveUp(chunk);
    takeRejected(chunk);
    if (found > 0 && chunk.pending.length > 0) {
      chunk.ambiguity = { since: clock.now(), timedOut: false, error: ambiguity?.error };
      return [];
    }
    chunk.ambiguity = undefined;
    return chunk.pending;
  });
}

/** Reads the ids of devices by their triple; the list itself, which may be large, is not kept. */
export async function readIds(
  methods: DeviceMethods,
  { signal, timeout, during }: RunContext,
  isWanted: (triple: string) => boolean = () => true,
): Promise<ReadonlyMap<string, string>> {
  const listTimeout = Math.max(timeout, LIST_TIMEOUT);
  const options = { signal, timeout: listTimeout, totalTimeout: listTimeout * 2 };
  const list = await during("devices.list has not responded yet", () => methods.list(options));
  const ids = new Map<string, string>();
  for (const { dev_eui, app_eui, app_key, id } of list) {
    const triple = (dev_eui + app_eui + app_key.reveal()).toUpperCase();
    if (isWanted(triple)) ids.set(triple, id);
  }
  return ids;
}

function whyWait(chunks: readonly Chunk[]): string {
  const error = chunks.find(({ ambiguity }) => ambiguity?.error !== undefined)?.ambiguity?.error;
  const cause = error === undefined ? "an earlier request may still be in progress" : error.message;
  return `${cause} The device list is read after \`settleTime\`.`;
}

function takeFound(chunk: Chunk, ids: ReadonlyMap<string, string>): number {
  return take(chunk, ({ index, dev_eui, triple }) => {
    const id = ids.get(triple);
    return id === undefined ? undefined : { status: "created", index, dev_eui, id };
  });
}

/** The console rejected these devices, and they are not in the list: the rejection is final. */
function takeRejected(chunk: Chunk): number {
  return take(chunk, ({ index, dev_eui, rejection }) =>
    rejection === undefined
      ? undefined
      : { status: "failed", reason: "refused", index, dev_eui, error: rejection },
  );
}

function giveUp(chunk: Chunk): [] {
  const why =
    chunk.ambiguity?.timedOut === true ? "the request timed out" : "every request with it broke";
  const error = `${why} and the device is not in the console: look for it later, and send it again only when the server is done`;
  take(chunk, ({ index, dev_eui }) => ({ status: "unknown", index, dev_eui, error }));
  return [];
}

/** Moves devices for which there is a result from pending to the results, and counts them. */
function take(chunk: Chunk, resultOf: (device: PendingDevice) => CreateResult | undefined): number {
  const before = chunk.pending.length;
  chunk.pending = chunk.pending.filter((device) => {
    const result = resultOf(device);
    if (result !== undefined) chunk.results.push(result);
    return result === undefined;
  });
  return before - chunk.pending.length;
}
