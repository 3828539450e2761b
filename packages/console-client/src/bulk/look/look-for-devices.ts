import { recordOf } from "@fieldmesh/core/internal";
import type { RunContext } from "../run/bulk-settings.ts";
import { failedOf, rejectedAgain, unknownOf } from "../run/chunks.ts";
import { readList, type EachDevice } from "./device-list.ts";
import type { KnownDevices } from "./known-devices.ts";
import type { PendingDevice } from "./pending-device.ts";
import { idOf, readShown, type FormCheck, type ShownDevices } from "./shown-devices.ts";
import type { AnyResult, Chunk, Look } from "../run/run-parts.ts";

// The contract writes a rejection as `<field>: <message>`. If it names one of these fields, it does not mean that the device
// exists.
const OF_OTHER_FIELD = /^(?:name|label_ids|config_profile_id): /;

const LIST = { call: "devices.each", route: "GET /api/v1/devices", list: "" };

/** Searches the device list for devices of chunks whose requests broke. */
export async function lookForDevices(
  each: EachDevice,
  known: KnownDevices,
  checkForm: FormCheck,
  chunks: readonly Chunk<PendingDevice>[],
  context: RunContext,
): Promise<Look<PendingDevice>> {
  // Devices created while the list is read may be missing from it.
  const pairs = new Set(chunks.flatMap((chunk) => chunk.pending.map(({ pair }) => pair)));
  const shown = await readList(each, context, () => {
    const missing = known.created();
    const reader = readShown(known.isOnly, (pair) => pairs.has(pair));
    const add = (device: unknown): void => {
      for (const place of known.placesOf(recordOf(device))) missing.delete(place);
      reader.add(device);
    };
    return { ...reader, add, lags: () => reader.hasUnreadable() || missing.size > 0 };
  });
  return {
    lags: shown.lags(),
    resultOf: (device) => foundOf(shown, device, "created", checkForm),
    isUnclear: shown.isUnclear,
    rejectedOf,
  };
}

/** Returns the result of a device that is not there, and that was rejected after an earlier request with it had broken. */
function rejectedOf(device: PendingDevice, rejection: string): AnyResult {
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
  const { index, dev_eui } = device.identity;
  return { status, index, dev_eui, id: idOf(record) };
}
