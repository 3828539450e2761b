import type { RunContext } from "./bulk-settings.ts";
import { failedOf, rejectedAgain, unknownOf } from "./chunks.ts";
import { readList, type EachDevice } from "./device-list.ts";
import type { PendingDevice } from "./pending-device.ts";
import { idOf, readShown, type FormCheck, type ShownDevices } from "./shown-devices.ts";
import type { AnyResult, Chunk, Look } from "./verb.ts";

// The contract writes a rejection as `<field>: <message>`. If it names one of these fields, it does not mean that the device
// exists.
const OF_OTHER_FIELD = /^(?:name|label_ids|config_profile_id): /;

const LIST = { call: "devices.each", route: "GET /api/v1/devices", list: "" };

/** What a run knows about the devices of its input. The keys in it are keys of devices, so nothing prints them. */
export interface KnownPairs {
  /** Whether no other device of the input has the same EUIs. */
  readonly isOnly: (pair: string) => boolean;
  /** The EUIs of each device that was certainly created, by its key. */
  readonly created: ReadonlyMap<string, string>;
  readonly checkForm: FormCheck;
}

/** Searches the device list for devices of chunks whose requests broke. */
export async function lookForDevices(
  each: EachDevice,
  { isOnly, created, checkForm }: KnownPairs,
  chunks: readonly Chunk<PendingDevice>[],
  context: RunContext,
): Promise<Look<PendingDevice>> {
  // Devices created while the list is read may be missing from it.
  const expected = Array.from(created, ([key, pair]) => ({ key, pair }));
  const pending = chunks.flatMap((chunk) => chunk.pending);
  const pairs = new Set([...expected, ...pending].map(({ pair }) => pair));
  const isWanted = (pair: string): boolean => pairs.has(pair);
  const shown = await readList(each, context, () => readShown(isOnly, isWanted));
  return {
    lags:
      shown.hasUnreadable ||
      expected.some((device) => shown.find(device) === undefined && !shown.isUnclear(device)),
    resultOf: (device) => foundOf(shown, device, "created", checkForm),
    isUnclear: shown.isUnclear,
    rejectedOf,
  };
}

/** Returns the result of a device that is not there, and that was rejected after an earlier request with it had broken. */
export function rejectedOf(device: PendingDevice, rejection: string): AnyResult {
  return OF_OTHER_FIELD.test(rejection)
    ? failedOf(device, "rejected", rejection)
    : unknownOf(device, rejectedAgain(rejection));
}

/** Returns the result of a device that the list contains. */
export function foundOf(
  shown: ShownDevices,
  device: PendingDevice,
  status: "created" | "skipped",
  checkForm: FormCheck,
) {
  const record = shown.find(device);
  if (record === undefined) return undefined;
  checkForm(LIST, record, device);
  return { status, ...device.identity, id: idOf(record) };
}
