import { recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import { type RunContext, twice } from "../run/bulk-settings.ts";
import { failedOf, rejectedAgain, unknownOf } from "../run/chunks.ts";
import type { Chunk, Look } from "../run/run-parts.ts";
import type { ChangeRow, PendingChange } from "./change-rows.ts";
import { readList, type EachDevice } from "./device-list.ts";
import { CallError, isApiError, STATUS, type CallOptions } from "@fieldmesh/http/internal";

/** What a run of changes knows about the devices in the console. */
export interface KnownDevices {
  /** Changes that were certainly carried out. */
  readonly done: PendingChange[];
  /** The ids of devices that occurred in a list. */
  readonly shown: Set<string>;
  /** The ids of devices that the run may have changed. */
  readonly sent: Set<string>;
}

/** Searches the device list for the outcome of broken requests. */
export async function lookForChanges(
  row: ChangeRow,
  each: EachDevice,
  { known, chunks }: { known: KnownDevices; chunks: readonly Chunk<PendingChange>[] },
  context: RunContext,
): Promise<Look<PendingChange>> {
  // Changes carried out while the list is read may be missing from it.
  const expected = [...known.done];
  const pending = chunks.flatMap((chunk) => chunk.pending);
  for (const change of pending) known.sent.add(idOf(change));
  const wanted = new Set([...expected, ...pending].map(idOf));
  const { devices, ids, isReadable } = await readList(each, context, () =>
    readById(wanted, row.removes === "device"),
  );
  const vanished = [...known.shown].filter((id) => !ids.has(id));
  for (const id of ids) known.shown.add(id);
  const lacks = vanished.some((id) => !known.sent.has(id));
  const isEmpty = row.removes === "device" && ids.size === 0;
  const isIncomplete = !isReadable || lacks || isEmpty;
  return lookAt(row, { devices, expected, pending, isIncomplete }, context);
}

/** What a look shows. */
interface Shown {
  /** The devices that were found, by their ids. */
  readonly devices: ReadonlyMap<string, AnyRecord>;
  /** Changes that were certainly carried out, and that it must show. */
  readonly expected: readonly PendingChange[];
  readonly pending: readonly PendingChange[];
  readonly isIncomplete: boolean;
}

/** Judges what a look shows of the changes in doubt. */
function lookAt(
  { isDone, removes }: ChangeRow,
  { devices, expected, pending, isIncomplete }: Shown,
  { settleTime }: Pick<RunContext, "settleTime">,
): Look<PendingChange> {
  /** `undefined` if the list does not say. */
  const stateOf = (change: PendingChange): boolean | undefined =>
    isDone(devices.get(idOf(change)), change.input as never);
  const isShown = (change: PendingChange): boolean => stateOf(change) === true;
  const isUnreadable = pending.some((change) => stateOf(change) === undefined);
  const isBehind = !expected.every(isShown);
  const lags = isIncomplete || isUnreadable || isBehind;
  /** A removal counts only if the console confirms it, or if two looks agree. */
  const isBelieved = (change: PendingChange): boolean => {
    if (removes === undefined) return !lags;
    if (change.isNotFound === true) return !isBehind;
    const wasGone = change.wasGone === true || settleTime === 0;
    if (!lags) change.wasGone = isShown(change);
    return !lags && wasGone;
  };
  return {
    lags,
    // An id is unique.
    isUnclear: () => false,
    // A delayed look may show the state before another change.
    resultOf: (change) =>
      isBelieved(change) && isShown(change) ? { status: "done", ...change.identity } : undefined,
    rejectedOf: (change, rejection) =>
      devices.has(idOf(change))
        ? unknownOf(change, rejectedAgain(rejection))
        : failedOf(change, "rejected", rejection),
  };
}

/** Reads the devices of a list by their ids. Keeps only those that are wanted, and the ids of all others on request. */
function readById(wanted: ReadonlySet<string>, keepsIds: boolean) {
  const devices = new Map<string, AnyRecord>();
  const ids = new Set<string>();
  let isReadable = true;
  return {
    devices,
    ids,
    get isReadable() {
      return isReadable;
    },
    add(each: unknown) {
      // With `validation: "off"`, it may be anything.
      const device = recordOf(each);
      if (typeof device["id"] !== "string") {
        isReadable = false;
        return;
      }
      const id = device["id"].toLowerCase();
      if (keepsIds) ids.add(id);
      if (wanted.has(id)) devices.set(id, device);
    },
  };
}

/** Ids are compared in lower case, because services write them in either. */
function idOf({ identity }: PendingChange): string {
  return identity.device_id.toLowerCase();
}

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
