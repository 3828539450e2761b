import type { ConsoleClient, Device } from "@fieldmesh/console-client";

/** Milliseconds for all parts of the list together. A list that hangs ends after the timeout of the client. */
const TOTAL_TIMEOUT = 3_600_000;

/** Reads all devices of a console, one by one: the list of a large fleet is longer than the longest string of Node. */
export function eachDevice(
  { devices }: Pick<ConsoleClient, "devices">,
  signal: AbortSignal,
): AsyncIterable<Device> {
  return devices.each({ signal, totalTimeout: TOTAL_TIMEOUT });
}

/** Reads those devices of a console that a command needs. */
export async function readDevices(
  client: Pick<ConsoleClient, "devices">,
  signal: AbortSignal,
  isNeeded: (device: Device) => boolean = () => true,
): Promise<Device[]> {
  const devices: Device[] = [];
  for await (const device of eachDevice(client, signal)) if (isNeeded(device)) devices.push(device);
  return devices;
}
