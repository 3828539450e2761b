// Why it is so: docs/decisions/36-what-a-write-resolves-to.md
import { isRecord, isSecret, memberOf } from "@fieldmesh/core";
import { inputProblem, orLookUp, type CallOptions, type Methods, type Open } from "@fieldmesh/http";
import { readList } from "./bulk/device-list.ts";
import type { Device, NewDevice } from "./device.ts";
import { devices } from "./devices.ts";

/** Options of `devices.create`. */
export interface CreateDeviceOptions extends CallOptions {
  /**
   * If the response is not the record, reads the device back by its EUIs and its key instead of from the list of all devices. In
   * a large fleet, this is faster. The key is then part of a URL, which servers and proxies may log.
   *
   * @default false
   */
  lookUp?: boolean | undefined;
}

/** The method that creates one device. */
export interface DeviceCreation {
  /**
   * Create one device. The EUIs and the key are sent in upper case, because the console compares them exactly (observed).
   *
   * One hosted deployment has disabled this endpoint: use `createBatch` there, with a single device. The spec does not describe
   * the response. If it is not the record (observed), the client reads the device back from the device list, or by its EUIs and
   * its key if you set `lookUp`.
   *
   * @throws A {@link ResponseValidationError} if the device was created, but reading it back did not find it
   * @throws An {@link ApiError} with 403: Creating single devices may be disabled on this deployment; use devices.createBatch (observed)
   * @throws An {@link ApiError} with 422: The device was not accepted (observed)
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * const device = await client.devices.create({
   *   name: "Tank 7",
   *   dev_eui: "0004A30B001C0530",
   *   app_eui: "70B3D57ED0000001",
   *   app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
   * });
   * ```
   */
  create<T = Device>(input: NewDevice, options?: Open<CreateDeviceOptions, T>): Promise<T>;
}

type Rows = Methods<typeof devices>;

const endpoint = { call: "devices.create", row: devices.create };
const where = { call: endpoint.call, route: endpoint.row.route };

/** Creates the method that reads the device back if the response is not the record. */
export function bindCreate(rows: Rows): DeviceCreation["create"] {
  return <T>(input: NewDevice, options?: Open<CreateDeviceOptions, T>): Promise<T> => {
    const lookUp = memberOf(options, "lookUp");
    if (lookUp !== undefined && typeof lookUp !== "boolean")
      return Promise.reject(inputProblem(where, "options.lookUp", "must be true or false"));
    const own = lookUp === undefined ? options : { ...options, lookUp: undefined };
    const euis = keysOf(input);
    return orLookUp(rows.create(input, own), {
      endpoint,
      options: own,
      find: () => (lookUp === true ? findByEuis(rows, euis, own) : findInList(rows, euis, own)),
      advice: "Call devices.list before you create it again.",
    }) as Promise<T>;
  };
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
  const list = await readList((times) => rows.list({ ...options, ...times }), context);
  // With `validation: "off"`, the list may be anything.
  const devices = (Array.isArray(list) ? list : []).filter(isRecord) as unknown as Device[];
  const same = devices.filter(
    ({ dev_eui, app_eui }) =>
      normal(dev_eui) === normal(keys.dev_eui) && normal(app_eui) === normal(keys.app_eui),
  );
  if (same.length <= 1) return same[0];
  return same.find(({ app_key }) => normal(app_key) === normal(keys.app_key));
}

/** Deployments write EUIs and keys in either case, and with separators. */
function normal(value: Keys["app_key"]): string {
  return (isSecret(value) ? value.reveal() : String(value)).replace(/[\s:-]/g, "").toUpperCase();
}
