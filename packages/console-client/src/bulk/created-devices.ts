import type { RunContext } from "./bulk-settings.ts";
import { failedOf, rejectedAgain, unknownOf } from "./chunks.ts";
import { readList, type ListDevices } from "./device-list.ts";
import type { PendingDevice } from "./new-device.ts";
import type { Chunk, Look } from "./verb.ts";

// The contract writes a rejection as `<field>: <message>`. If it names one of these fields, it does not mean that the device
// exists.
const OF_OTHER_FIELD = /^(?:name|label_ids|config_profile_id): /;

/** Searches the device list for devices of chunks whose requests broke. */
export async function lookForDevices(
  list: ListDevices,
  known: ReadonlySet<string>,
  chunks: readonly Chunk<PendingDevice>[],
  context: RunContext,
): Promise<Look<PendingDevice>> {
  // Devices created while the list is read may be missing from it.
  const unseen = new Set(known);
  const keys = new Set(chunks.flatMap(({ pending }) => pending.map(({ key }) => key)));
  const ids = await readIds(list, context, (key) => {
    unseen.delete(key);
    return keys.has(key);
  });
  return {
    lags: unseen.size > 0,
    resultOf: ({ identity, key }) => {
      const id = ids.get(key);
      return id === undefined ? undefined : { status: "created", ...identity, id };
    },
    rejectedOf: (device, rejection) =>
      OF_OTHER_FIELD.test(rejection)
        ? failedOf(device, "refused", rejection)
        : unknownOf(device, rejectedAgain(rejection)),
  };
}

/** Reads the ids of devices by their key. Does not keep the list itself, which may be large. */
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
