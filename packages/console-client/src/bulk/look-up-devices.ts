import type { AnyRecord } from "@fieldmesh/core";
import { recordOf } from "@fieldmesh/core";
import type { CallOptions } from "@fieldmesh/http";
import type { NewDevice } from "../device.ts";
import { twice, type RunContext } from "./bulk-settings.ts";
import { rejectedOf } from "./created-devices.ts";
import type { PendingDevice } from "./pending-device.ts";
import { idOf, type FormCheck } from "./shown-devices.ts";
import type { Chunk, Look } from "./verb.ts";

/** Finds a device by its EUIs and its key. */
export type FindDevice = (
  input: Pick<NewDevice, "dev_eui" | "app_eui" | "app_key">,
  options: CallOptions,
) => Promise<unknown>;

/** More devices than that are searched in the list, which is one request. */
const MOST = 100;
const FIND = { call: "devices.find", route: "GET /api/v1/devices", list: "" };

/** Looks up devices of chunks whose requests broke, one by one. Returns `undefined` if there are too many. */
export function lookUpDevices(
  find: FindDevice,
  { recent, checkForm }: { recent: readonly PendingDevice[]; checkForm: FormCheck },
  chunks: readonly Chunk<PendingDevice>[],
  context: RunContext,
): Promise<Look<PendingDevice>> | undefined {
  const pending = chunks.flatMap((chunk) => chunk.pending);
  return pending.length > MOST
    ? undefined
    : lookUp(find, [...recent], { pending, checkForm, context });
}

async function lookUp(
  find: FindDevice,
  witnesses: readonly PendingDevice[],
  {
    pending,
    checkForm,
    context,
  }: { pending: readonly PendingDevice[]; checkForm: FormCheck; context: RunContext },
): Promise<Look<PendingDevice>> {
  const { signal, timeout, priority, during, concurrency } = context;
  const options = { signal, timeout, totalTimeout: twice(timeout), priority };
  const found = new Map<string, AnyRecord>();
  // Shared by all workers.
  const queue = [...pending, ...witnesses].values();
  const work = async (): Promise<void> => {
    for (const { device, key } of queue) {
      const { dev_eui, app_eui, app_key } = device;
      const record = await find({ dev_eui, app_eui, app_key }, options);
      if (record !== undefined) found.set(key, recordOf(record));
    }
  };
  await during("devices.find has not responded yet", async () => {
    await Promise.all(Array.from({ length: concurrency }, work));
  });
  return {
    lags: witnesses.some(({ key }) => !found.has(key)),
    resultOf: (device) => {
      const record = found.get(device.key);
      if (record === undefined) return undefined;
      checkForm(FIND, record, device);
      return { status: "created", ...device.identity, id: idOf(record) };
    },
    // The console compares all three values.
    isUnclear: () => false,
    rejectedOf,
  };
}
