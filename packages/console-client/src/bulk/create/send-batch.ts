import { recordOf, type AnyRecord } from "@fieldmesh/core/internal";
import { showTextOf, type ShowText } from "@fieldmesh/http/internal";
import type { DeviceBatch, NewDevice } from "../../device.ts";
import type { RunContext } from "../run/bulk-settings.ts";
import { doubt, failedOf } from "../run/chunks.ts";
import type { PendingDevice } from "../look/pending-device.ts";
import { sendPatiently, type How } from "../run/send-patiently.ts";
import { createFinder, hexOf, idOf, type FormCheck } from "../look/shown-devices.ts";
import type { AnyResult, BatchOutcome } from "../run/run-parts.ts";

const CREATE_BATCH = { call: "devices.createBatch", route: "POST /api/v1/devices" };

/** Sends up to 1,000 devices in one request and returns the outcome of each. */
export async function sendBatch(
  createBatch: (input: { devices: NewDevice[] }, ...how: How) => Promise<DeviceBatch>,
  batch: readonly PendingDevice[],
  context: RunContext,
  checkForm: FormCheck,
): Promise<BatchOutcome> {
  const devices = batch.map(({ device }) => device);
  const sent = await sendPatiently(CREATE_BATCH.call, batch, context, async (...how) => {
    const call = createBatch({ devices }, ...how);
    // With `validation: "off"`, it may be anything.
    const { success, failure } = recordOf(await call);
    const rejected = recordsOf(failure);
    // Searching for a thousand keys in any form needs a third of the time of a run, and most responses reject nothing.
    const show = rejected.length > 0 ? await showTextOf(call) : undefined;
    return { created: recordsOf(success), rejected, show };
  });
  if ("broken" in sent) return { results: new Map(), error: sent.broken };
  return readBatch(sent.response, batch, checkForm);
}

function recordsOf(list: unknown): AnyRecord[] {
  return Array.isArray(list) ? list.map(recordOf) : [];
}

interface ReadResponse {
  readonly created: readonly AnyRecord[];
  readonly rejected: readonly AnyRecord[];
  readonly show: ShowText | undefined;
}

/** Matches a response to its devices: both of its lists are in the order in which the console finished. */
function readBatch(
  { created, rejected, show }: ReadResponse,
  batch: readonly PendingDevice[],
  checkForm: FormCheck,
): BatchOutcome {
  const find = createFinder(batch);
  const results = new Map<number, AnyResult>();
  const sentBefore = new Set(batch.filter((device) => device.doubt !== undefined));
  doubt(batch, "responded");
  for (const each of created) {
    const device = find(each);
    if (device === undefined) continue;
    checkForm({ ...CREATE_BATCH, list: "success" }, each, device);
    const { index, dev_eui } = device.identity;
    results.set(index, { status: "created", index, dev_eui, id: idOf(each) });
  }
  for (const each of rejected) {
    const device = find(each) ?? findByEui(each, batch);
    if (device === undefined || results.has(device.index)) continue;
    const error = (typeof each["error"] === "string" && show?.(each["error"])) || NOT_SHOWN;
    // The broken request of this run may have created the device, so the run looks it up before the rejection counts.
    if (sentBefore.has(device)) device.rejection = error;
    else results.set(device.index, failedOf(device, "rejected", error));
  }
  return { results };
}

const NOT_SHOWN = "was rejected with a message that is not shown, because it may contain a key";

/** A failure may omit the other two values. The device EUI is enough if only one device of the request has it. */
function findByEui(
  { dev_eui }: AnyRecord,
  batch: readonly PendingDevice[],
): PendingDevice | undefined {
  const eui = hexOf(dev_eui);
  const sameEui = batch.filter(({ device }) => hexOf(device.dev_eui) === eui);
  return sameEui.length === 1 ? sameEui[0] : undefined;
}
