import type { ConsoleClient, Device } from "@fieldmesh/console-client";
import { readAgain } from "@fieldmesh/http/internal";

/** Milliseconds for all parts of the list together. A list that hangs ends after the timeout of the client. */
const TOTAL_TIMEOUT = 3_600_000;

/** Returns a function that tells whether a device has a label. */
export function hasLabel(label_id: string): (device: Device) => boolean {
  return ({ labels }) => labels.some(({ id }) => id === label_id);
}

/** Reads the devices of a console one by one. */
export function eachDevice(
  { devices }: Pick<ConsoleClient, "devices">,
  signal: AbortSignal,
): AsyncIterable<Device> {
  return devices.each({ signal, totalTimeout: TOTAL_TIMEOUT });
}

/** Reads those devices of a console that a command needs, one by one: a large fleet is longer than the longest string of Node. */
export async function readDevices(
  { devices }: Pick<ConsoleClient, "devices">,
  signal: AbortSignal,
  isNeeded: ((device: Device) => boolean) | undefined = () => true,
): Promise<Device[]> {
  return await readAgain(async () => {
    const needed: Device[] = [];
    for await (const device of eachDevice({ devices }, signal))
      if (isNeeded(device)) needed.push(device);
    return needed;
  }, signal);
}
