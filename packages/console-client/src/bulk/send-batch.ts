import { scrub } from "@fieldmesh/core/schema";
import { revealText } from "@fieldmesh/core";
import {
  isApiError,
  isCallError,
  isConnectionError,
  isTimeoutError,
  type CallError,
} from "@fieldmesh/http";
import type { DeviceBatch, FailedDevice } from "../device.ts";
import type { CreateResult } from "./bulk-types.ts";
import type { BatchOutcome, PendingDevice } from "./chunks.ts";
import type { DeviceMethods, RunContext } from "./bulk-settings.ts";

// Sends of a request that was never accepted, beside the attempts of the transport.
const MAX_SENDS = 6;
const FIRST_WAIT = 1_000;
// Room for an hourly limit. After a longer Retry-After the run ends, and resumes from its checkpoint.
const LONGEST_WAIT = 3_600_000;

/**
 * Sends up to 1,000 devices and returns the outcome of each. A request that certainly did nothing is resent;
 * one that may have been carried out is returned as ambiguous; any other failure is thrown, because no other request
 * would escape it.
 */
export async function sendBatch(
  methods: DeviceMethods,
  batch: readonly PendingDevice[],
  { signal, timeout, clock, during }: RunContext,
): Promise<BatchOutcome> {
  const options = { signal, timeout, totalTimeout: Math.min(timeout * 2, 2 ** 31 - 1) };
  for (let send = 1; ; send++) {
    try {
      const devices = batch.map(({ device }) => device);
      const response = await during("devices.createBatch has not responded yet", () =>
        methods.createBatch({ devices }, options),
      );
      return readBatch(response, batch, clock.now());
    } catch (error) {
      if (!isCallError(error)) throw error;
      if (error.outcome === "unknown" || error.outcome === "applied") {
        if (signal?.aborted === true) throw error;
        return {
          results: new Map(),
          ambiguity: { since: clock.now(), timedOut: mayBeAtWork(error), error },
        };
      }
      const retryAt = isApiError(error, 429) ? error.retryAt?.getTime() : undefined;
      const isPassing = isConnectionError(error) || isApiError(error, 429);
      const wait = Math.max(FIRST_WAIT * 2 ** (send - 1), (retryAt ?? 0) - clock.now());
      if (!isPassing || send === MAX_SENDS || wait > LONGEST_WAIT) throw error;
      await during(error.message, () => clock.sleep(wait, signal), clock.now() + wait);
    }
  }
}

/** After a time-out, here or in a proxy, the server may still be working on the request. */
function mayBeAtWork(error: CallError): boolean {
  return isTimeoutError(error) || isApiError(error, 408) || isApiError(error, 504);
}

/** Matches a response to its devices by the triple: both of its lists are in the order in which the console finished. */
function readBatch(
  { success, failure }: DeviceBatch,
  batch: readonly PendingDevice[],
  now: number,
): BatchOutcome {
  const byTriple = new Map(batch.map((device) => [device.triple, device]));
  const results = new Map<number, CreateResult>();
  for (const { dev_eui, app_eui, app_key, id } of success) {
    const device = byTriple.get((dev_eui + app_eui + app_key.reveal()).toUpperCase());
    if (device === undefined) continue;
    const { index } = device;
    results.set(index, { status: "created", index, dev_eui: device.dev_eui, id });
  }
  for (const each of failure) {
    const device = deviceOf(each, byTriple, batch);
    if (device === undefined || results.has(device.index)) continue;
    const { index, dev_eui } = device;
    const error = withoutKey(each.error, device);
    // The device may exist already through the broken request of this run, so it is read back before the rejection counts.
    if (device.sentBefore) device.rejection = error;
    else results.set(index, { status: "failed", reason: "refused", index, dev_eui, error });
  }
  const isWhole = batch.every(({ index }) => results.has(index));
  return {
    results,
    ambiguity: isWhole ? undefined : { since: now, timedOut: false, error: undefined },
  };
}

function deviceOf(
  { dev_eui, app_eui, app_key }: FailedDevice,
  byTriple: ReadonlyMap<string, PendingDevice>,
  batch: readonly PendingDevice[],
): PendingDevice | undefined {
  if (dev_eui == null) return undefined;
  const whole = byTriple.get((dev_eui + (app_eui ?? "") + (app_key?.reveal() ?? "")).toUpperCase());
  if (whole !== undefined) return whole;
  // A failure need not repeat all three; the device EUI does where only one device of the request has it.
  const sameEui = batch.filter((device) => device.dev_eui === dev_eui.toUpperCase());
  return sameEui.length === 1 ? sameEui[0] : undefined;
}

function withoutKey(error: string, { device }: PendingDevice): string {
  const key = revealText(device.app_key);
  return scrub(error, [key, key.toUpperCase()]) as string;
}
