import type { CallOptions, Open } from "@fieldmesh/http";
import type { FoundDevice, NewDevice } from "./device.ts";

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
  create<T = FoundDevice>(input: NewDevice, options?: Open<CreateDeviceOptions, T>): Promise<T>;
}
