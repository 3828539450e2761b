import { showTextOf, type CallOptions, type ShowText } from "@fieldmesh/http";
import type { DeviceBatch, FailedDevice, NewDevice } from "../device.ts";
import type { RunContext } from "./bulk-settings.ts";
import { failedOf } from "./chunks.ts";
import type { PendingDevice } from "./new-device.ts";
import { sendPatiently } from "./send-patiently.ts";
import type { AnyResult, BatchOutcome } from "./verb.ts";

/** Sends up to 1,000 devices in one request and returns the outcome of each. */
export async function sendBatch(
  createBatch: (input: { devices: NewDevice[] }, options: CallOptions) => Promise<DeviceBatch>,
  batch: readonly PendingDevice[],
  context: RunContext,
): Promise<BatchOutcome> {
  const devices = batch.map(({ device }) => device);
  const sent = await sendPatiently("devices.createBatch", context, async (options) => {
    const call = createBatch({ devices }, options);
    const response = await call;
    // Searching for a thousand keys in any form needs a third of the time of a run, and most responses reject nothing.
    const show = response.failure.length > 0 ? await showTextOf(call) : undefined;
    return { ...response, show };
  });
  return "broken" in sent
    ? { results: new Map(), ambiguity: sent.broken }
    : readBatch(sent.response, batch, context.clock.now());
}

/** Matches a response to its devices by EUIs and key: both of its lists are in the order in which the console finished. */
function readBatch(
  { success, failure, show }: DeviceBatch & { show: ShowText | undefined },
  batch: readonly PendingDevice[],
  now: number,
): BatchOutcome {
  const byTriple = new Map(batch.map((device) => [device.key, device]));
  const results = new Map<number, AnyResult>();
  for (const { dev_eui, app_eui, app_key, id } of success) {
    const device = byTriple.get((dev_eui + app_eui + app_key.reveal()).toUpperCase());
    if (device === undefined) continue;
    results.set(device.index, { status: "created", ...device.identity, id });
  }
  for (const each of failure) {
    const device = deviceOf(each, byTriple, batch);
    if (device === undefined || results.has(device.index)) continue;
    const error = show?.(each.error) ?? NOT_SHOWN;
    // The broken request of this run may have created the device, so the run looks it up before the rejection counts.
    if (device.sentBefore) device.rejection = error;
    else results.set(device.index, failedOf(device, "refused", error));
  }
  const isWhole = batch.every(({ index }) => results.has(index));
  return {
    results,
    ambiguity: isWhole ? undefined : { since: now, timedOut: false, error: undefined },
  };
}

const NOT_SHOWN = "was rejected with a message that is not shown, because it may contain a key";

function deviceOf(
  { dev_eui, app_eui, app_key }: FailedDevice,
  byTriple: ReadonlyMap<string, PendingDevice>,
  batch: readonly PendingDevice[],
): PendingDevice | undefined {
  if (dev_eui == null) return undefined;
  const whole = byTriple.get((dev_eui + (app_eui ?? "") + (app_key?.reveal() ?? "")).toUpperCase());
  if (whole !== undefined) return whole;
  // A failure may omit the other two values. The device EUI is enough if only one device of the request has it.
  const sameEui = batch.filter(({ identity }) => identity.dev_eui === dev_eui.toUpperCase());
  return sameEui.length === 1 ? sameEui[0] : undefined;
}
