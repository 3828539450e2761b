import type { CallOptions } from "@fieldmesh/http";
import type { Device } from "../device.ts";
import { twice, type RunContext } from "./bulk-settings.ts";
import type { Chunk } from "./verb.ts";

/** Lists all devices of the organization. */
export type ListDevices = (options: CallOptions) => Promise<readonly Device[]>;

/** What reading the list needs of a run. */
type ListContext = Pick<RunContext, "signal" | "timeout" | "priority" | "during">;

// The list of a large fleet takes longer than a request with 1,000 devices, and waiting for it loses nothing.
const LIST_TIMEOUT = 120_000;

/** Waits until the server has most likely finished the requests of broken chunks. */
export async function waitSettled(
  chunks: readonly Pick<Chunk, "ambiguity">[],
  { clock, settleTime, signal, during }: RunContext,
): Promise<void> {
  const begins = chunks.map(({ ambiguity }) => ambiguity?.since ?? 0);
  const settledAt = Math.max(...begins) + settleTime;
  const wait = settledAt - clock.now();
  if (wait > 0) await during(whyWait(chunks), () => clock.sleep(wait, signal), settledAt);
}

/** Reads the device list. With `validation: "off"`, it may be anything. */
export async function readList(
  list: ListDevices,
  { signal, timeout, priority, during }: ListContext,
): Promise<unknown> {
  const listTimeout = Math.max(timeout, LIST_TIMEOUT);
  const options = { signal, timeout: listTimeout, totalTimeout: twice(listTimeout), priority };
  return await during("devices.list has not responded yet", () => list(options));
}

function whyWait(chunks: readonly Pick<Chunk, "ambiguity">[]): string {
  const error = chunks.find(({ ambiguity }) => ambiguity?.error !== undefined)?.ambiguity?.error;
  const cause = error?.message ?? "An earlier request may still be in progress.";
  return `${cause} The device list is read after \`settleTime\`.`;
}
