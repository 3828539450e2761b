import { recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import { CallError, isApiError, STATUS, type CallOptions } from "@fieldmesh/http/internal";
import { twice, type RunContext } from "../run/bulk-settings.ts";
import type { ChangeRow, PendingChange } from "./change-rows.ts";
import { idOf, lookAt, type KnownDevices } from "./look-for-changes.ts";
import type { Chunk, Look } from "../run/run-parts.ts";

/** Reads a device by its id. */
export type GetDevice = (input: { device_id: string }, options: CallOptions) => Promise<unknown>;

/** More devices than that are searched in the list, which is one request. */
const MOST = 100;
/** Changes that were carried out last. A console that does not show all of them lags. */
const WITNESSES = 5;

/** Looks up the devices of broken requests. `undefined` if the list decides: too many, a failure, or a change that `get` lacks. */
export async function lookUpChanges(
  row: ChangeRow,
  get: GetDevice,
  { known, chunks }: { known: KnownDevices; chunks: readonly Chunk<PendingChange>[] },
  context: RunContext,
): Promise<Look<PendingChange> | undefined> {
  const pending = chunks.flatMap((chunk) => chunk.pending);
  if (pending.length > MOST || !row.isInRecord) return undefined;
  // Changes that are carried out meanwhile may be missing.
  const expected = known.done.slice(-WITNESSES);
  const devices = new Map<string, AnyRecord>();
  // Shared by all workers.
  const queue = new Set([...pending, ...expected].map(idOf)).values();
  try {
    await context.during("devices.get has not responded yet", async () => {
      const work = () => lookUpEach(get, queue, devices, context);
      await Promise.all(Array.from({ length: context.concurrency }, work));
    });
  } catch (error) {
    if (context.signal?.aborted === true || !(error instanceof CallError)) throw error;
    return undefined;
  }
  return lookAt(row, { devices, expected, pending, isIncomplete: false }, context);
}

async function lookUpEach(
  get: GetDevice,
  ids: Iterable<string>,
  devices: Map<string, AnyRecord>,
  { signal, timeout, priority }: RunContext,
): Promise<void> {
  const options = { signal, timeout, totalTimeout: twice(timeout), priority };
  for (const device_id of ids) {
    try {
      devices.set(device_id, recordOf(await get({ device_id }, options)));
    } catch (error) {
      // It does not exist, or not any more.
      if (!isApiError(error, STATUS.notFound)) throw error;
    }
  }
}
