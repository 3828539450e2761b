import type { EachOptions } from "@fieldmesh/http/internal";
import type { Device } from "./device.ts";

/** The method that reads the device list while it arrives. */
export interface DeviceStream {
  /**
   * List all devices of the organization, one at a time while the list arrives. A fleet of any size needs the same small memory.
   *
   * Each loop sends one request, and a slow loop slows the server. Leaving the loop, or `signal`, closes the connection. Until the
   * first device, the call is retried like any other. A later failure is thrown with `recordsRead`, and nothing is resumed,
   * because the console does not page this list. A list that ends early is an error, and never a shorter fleet.
   *
   * @throws A {@link CallError} if the call fails, also in the middle of the list
   * @throws A {@link ResponseValidationError} for the first device that contradicts the contract
   * @example
   * ```ts
   * let silent = 0;
   * for await (const device of client.devices.each()) if (device.last_connected == null) silent++;
   * ```
   */
  each(options?: EachOptions): AsyncIterable<Device>;
}
