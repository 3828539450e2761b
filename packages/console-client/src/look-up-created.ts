// Why it is so: docs/decisions/36-what-a-write-resolves-to.md
import { isRecord, memberOf } from "@fieldmesh/core/internal";
import {
  checkCallOptionNames,
  inputProblem,
  orLookUp,
  type CallOptions,
  type Methods,
  type Open,
} from "@fieldmesh/http/internal";
import { readList, type DeviceReader, type EachDevice } from "./bulk/look/device-list.ts";
import { hexOf } from "./bulk/look/shown-devices.ts";
import type { Device, NewDevice } from "./device.ts";
import type { CreateDeviceOptions, DeviceCreation } from "./create-device.ts";
import type { DeviceStream } from "./each-device.ts";
import type { devices } from "./devices.ts";

type Rows = Methods<typeof devices> & DeviceStream;

const CALL = "devices.create";

/** Creates the method that reads the device back if the response is not the record. */
export function bindCreate(rows: Rows, row: (typeof devices)["create"]): DeviceCreation["create"] {
  return <T>(input: NewDevice, options?: Open<CreateDeviceOptions, T>): Promise<T> => {
    let lookUp: boolean | undefined;
    try {
      lookUp = readLookUp(options, row.route);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    const own = lookUp === undefined ? options : { ...options, lookUp: undefined };
    const euis = keysOf(input);
    return orLookUp(rows.create(input, own), {
      endpoint: { call: CALL, row },
      options: own,
      find: () => (lookUp ? findByEuis(rows, euis, own) : findInList(rows, euis, own)),
      advice: "Call devices.list before you create it again.",
    }) as Promise<T>;
  };
}

function readLookUp(options: unknown, route: string): boolean | undefined {
  checkCallOptionNames(CALL, options, ["lookUp"]);
  const lookUp = memberOf(options, "lookUp");
  if (lookUp === undefined || typeof lookUp === "boolean") return lookUp;
  throw inputProblem({ call: CALL, route }, "options.lookUp", "must be true or false");
}

/** Copied, because the caller may change its object while the device is created. */
function keysOf(input: unknown): Pick<NewDevice, "app_eui" | "app_key" | "dev_eui"> {
  const [app_eui, app_key, dev_eui] = ["app_eui", "app_key", "dev_eui"].map((name) =>
    memberOf(input, name),
  );
  return { app_eui, app_key, dev_eui } as never;
}

type Keys = ReturnType<typeof keysOf>;

async function findByEuis(rows: Rows, keys: Keys, options?: CallOptions) {
  const found = await rows.find(keys, options);
  return found && (await rows.get({ device_id: found.id }, options));
}

const USUAL_TIMEOUT = 30_000;

/** Reads the list as a bulk run does. If several devices have both EUIs, the key decides. */
async function findInList(rows: Rows, keys: Keys, options: CallOptions = {}) {
  const { signal, timeout = USUAL_TIMEOUT, priority } = options;
  const context = { signal, timeout, priority, during: <R>(_: string, read: () => R) => read() };
  const each: EachDevice = (times) => rows.each({ ...options, ...times });
  const { same } = await readList(each, context, () => readSame(keys));
  if (same.length <= 1) return same[0];
  return same.find(({ app_key }) => hexOf(app_key) === hexOf(keys.app_key));
}

/** Keeps the devices of a list that have both EUIs. */
function readSame({ dev_eui, app_eui }: Keys): DeviceReader & { readonly same: Device[] } {
  const same: Device[] = [];
  return {
    same,
    add(each) {
      // With `validation: "off"`, it may be anything.
      if (!isRecord(each)) return;
      const device = each as unknown as Device;
      if (hexOf(device.dev_eui) !== hexOf(dev_eui)) return;
      if (hexOf(device.app_eui) === hexOf(app_eui)) same.push(device);
    },
  };
}
