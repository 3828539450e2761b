import { readAgain, type CallOptions, type EachOptions } from "@fieldmesh/http/internal";
import type { RunContext } from "../run/bulk-settings.ts";

/** Reads all devices of the organization, one by one. With `validation: "off"`, each may be anything. */
export type EachDevice = (options: EachOptions) => AsyncIterable<unknown>;

/** What reading the list needs of a run. */
interface ListContext extends Pick<RunContext, "signal" | "timeout" | "during"> {
  readonly priority: CallOptions["priority"];
}

// The list of a large fleet takes longer than a request with 1,000 devices, and waiting for it loses nothing.
const LIST_TIMEOUT = 120_000;
/** For all parts of a list together: two million devices are a gigabyte. */
const LIST_TOTAL_TIMEOUT = 3_600_000;

/** Receives the devices of one list, in its order. */
export interface DeviceReader {
  readonly add: (device: unknown) => void;
}

/** Reads the device list into a reader that `begin` creates. Another attempt begins with another reader. */
export async function readList<Reader extends DeviceReader>(
  each: EachDevice,
  { signal, timeout, priority, during }: ListContext,
  begin: () => Reader,
): Promise<Reader> {
  const listTimeout = Math.max(timeout, LIST_TIMEOUT);
  const totalTimeout = Math.max(listTimeout, LIST_TOTAL_TIMEOUT);
  const options = { signal, timeout: listTimeout, totalTimeout, priority };
  const read = async () => {
    const reader = begin();
    for await (const device of each(options)) reader.add(device);
    return reader;
  };
  return await during("devices.each has not read the whole list yet", () =>
    readAgain(read, signal),
  );
}
