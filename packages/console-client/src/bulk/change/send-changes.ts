import { recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import {
  CallError,
  encodeInput,
  isApiError,
  STATUS,
  type ApiError,
} from "@fieldmesh/http/internal";
import type { RunContext } from "../run/bulk-settings.ts";
import type { ChangeMethods, ChangeRow, PendingChange } from "../look/change-rows.ts";
import { failedOf, invalidOf, rejectedAgain, unknownOf, validId } from "../run/chunks.ts";
import { readList, type EachDevice } from "../look/device-list.ts";
import { sendPatiently } from "../run/send-patiently.ts";
import type { AnyResult, BatchOutcome, Chunk, Look } from "../run/run-parts.ts";

// These statuses concern one device. Any other status concerns all of them.
const OF_ONE_DEVICE = new Set([400, 404, 409, 422]);

/** Checks an input. Drops fields that the request does not need, such as those of a device record. */
export function readChange(
  row: ChangeRow,
  input: unknown,
  index: number,
): PendingChange | AnyResult {
  // These inputs have no observed rules.
  const encoded = encodeInput(row.fields, input, false);
  if ("problems" in encoded) {
    const { problems } = encoded;
    return invalidOf({ index, device_id: validId(input, row.idField, problems) }, problems);
  }
  const change = encoded.output as Readonly<Record<string, unknown>>;
  const device_id = change[row.idField] as string;
  return {
    index,
    input: change,
    identity: { index, device_id },
    key: [device_id, ...row.keyFields.map((field) => change[field])].join().toLowerCase(),
    content: Object.values(change).join(),
  };
}

/** Sends one request for each device, several in parallel. */
export async function sendChanges(
  row: ChangeRow,
  methods: ChangeMethods,
  batch: readonly PendingChange[],
  context: RunContext,
): Promise<BatchOutcome> {
  const results = new Map<number, AnyResult>();
  let broken: CallError | undefined;
  let failure: { readonly error: unknown } | undefined;
  // Shared by all workers.
  const queue = batch.values();

  async function work(): Promise<void> {
    for (const change of queue) {
      if (failure !== undefined) return;
      try {
        const outcome = await sendChange(row, methods, change, context);
        if (!(outcome instanceof CallError)) results.set(change.index, outcome);
        else broken = outcome;
      } catch (error) {
        failure ??= { error };
      }
    }
  }

  await Promise.all(Array.from({ length: context.concurrency }, work));
  return { results, error: broken, failure };
}

async function sendChange(
  row: ChangeRow,
  methods: ChangeMethods,
  change: PendingChange,
  context: RunContext,
): Promise<AnyResult | CallError> {
  const { input, identity } = change;
  try {
    const sent = await sendPatiently(row.call, [change], context, (...how) =>
      row.send(methods, input as never, ...how),
    );
    // A 2xx is about this device alone, whatever its body says.
    if (!("broken" in sent) || change.doubt === "responded") return { status: "done", ...identity };
    return sent.broken;
  } catch (error) {
    if (!isOfOneDevice(error)) throw error;
    if (change.doubt === undefined) return failedOf(change, "rejected", error.message);
    // It may be rejected because the broken request was carried out, so the list decides.
    change.rejection = error.message;
    change.isNotFound = error.status === STATUS.notFound;
    return error;
  }
}

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
export function lookAt(
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
export function idOf({ identity }: PendingChange): string {
  return identity.device_id.toLowerCase();
}

function isOfOneDevice(error: unknown): error is ApiError {
  return isApiError(error) && OF_ONE_DEVICE.has(error.status);
}
