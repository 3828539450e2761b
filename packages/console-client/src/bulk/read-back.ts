import { failedOf, take, unknownOf } from "./chunks.ts";
import { readList, waitSettled, type ListDevices } from "./device-list.ts";
import type { PendingDevice } from "./new-device.ts";
import type { RunContext } from "./bulk-settings.ts";
import type { Chunk } from "./verb.ts";

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
  list: ListDevices,
  chunks: readonly Chunk<PendingDevice>[],
  context: RunContext,
): Promise<PendingDevice[]> {
  await waitSettled(chunks, context);
  const keys = new Set(chunks.flatMap(({ pending }) => pending.map(({ key }) => key)));
  const ids = await readIds(list, context, (key) => keys.has(key));
  return chunks.flatMap((chunk) => {
    chunk.rounds++;
    const found = takeFound(chunk, ids);
    const { ambiguity } = chunk;
    if (chunk.pending.length === 0) return [];
    if (ambiguity?.timedOut === true || chunk.rounds > MAX_ROUNDS) return giveUp(chunk);
    takeRejected(chunk);
    if (found > 0 && chunk.pending.length > 0) {
      chunk.ambiguity = { since: context.clock.now(), timedOut: false, error: ambiguity?.error };
      return [];
    }
    chunk.ambiguity = undefined;
    return chunk.pending;
  });
}

/** Reads the ids of devices by their key; the list itself, which may be large, is not kept. */
export async function readIds(
  list: ListDevices,
  context: RunContext,
  isWanted: (key: string) => boolean = () => true,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { dev_eui, app_eui, app_key, id } of await readList(list, context)) {
    const key = (dev_eui + app_eui + app_key.reveal()).toUpperCase();
    if (isWanted(key)) ids.set(key, id);
  }
  return ids;
}

function takeFound(chunk: Chunk<PendingDevice>, ids: ReadonlyMap<string, string>): number {
  return take(chunk, ({ facts, key }) => {
    const id = ids.get(key);
    return id === undefined ? undefined : { status: "created", ...facts, id };
  });
}

/** The console rejected these devices, and they are not in the list: the rejection is final. */
function takeRejected(chunk: Chunk<PendingDevice>): number {
  return take(chunk, (device) =>
    device.rejection === undefined ? undefined : failedOf(device, "refused", device.rejection),
  );
}

function giveUp(chunk: Chunk<PendingDevice>): [] {
  const why =
    chunk.ambiguity?.timedOut === true ? "the request timed out" : "every request with it broke";
  const error = `${why} and the device is not in the console: look for it later, and send it again only when the server is done`;
  take(chunk, (device) => unknownOf(device, error));
  return [];
}
