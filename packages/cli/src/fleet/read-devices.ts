import type { ConsoleClient, Device } from "@fieldmesh/console-client";
import { CallError } from "@fieldmesh/http";

/** Milliseconds for all parts of the list together. A list that hangs ends after the timeout of the client. */
const TOTAL_TIMEOUT = 3_600_000;
/** A list that breaks off in the middle is read again from its start, as often as the client repeats other calls. */
const MAX_READS = 3;

/** Reads those devices of a console that a command needs, one by one: a large fleet is longer than the longest string of Node. */
export async function readDevices(
  { devices }: Pick<ConsoleClient, "devices">,
  signal: AbortSignal,
  isNeeded: (device: Device) => boolean = () => true,
): Promise<Device[]> {
  for (let reads = 1; ; reads++) {
    const needed: Device[] = [];
    try {
      for await (const device of devices.each({ signal, totalTimeout: TOTAL_TIMEOUT }))
        if (isNeeded(device)) needed.push(device);
      return needed;
    } catch (error) {
      if (!brokeOff(error) || reads === MAX_READS || signal.aborted) throw error;
    }
  }
}

/** Whether a list ended after its first devices. Until then, the client has repeated the request. */
function brokeOff(error: unknown): boolean {
  return (
    error instanceof CallError && error.outcome === "unknown" && error.recordsRead !== undefined
  );
}
