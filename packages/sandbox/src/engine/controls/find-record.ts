import { isRecord, mistake } from "@fieldmesh/core/internal";
import type { DeviceRecord } from "../console/state/state.ts";
import type { WritableLog } from "../log/request-log.ts";
import type { MobileRecord } from "../mobile/mobile-state.ts";
import type { Served } from "../services/served.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { simOf } from "./state-views.ts";

export interface RecordSource {
  readonly served: Served;
  readonly log: WritableLog;
  readonly webhooks: Webhooks;
}

/** A record, and what names it. */
export type FoundRecord = { readonly ids: readonly string[] } & (
  | { readonly kind: "device"; readonly device: DeviceRecord }
  | { readonly kind: "sim"; readonly last: StoredEvent }
  | { readonly kind: "subscriber"; readonly subscriber: MobileRecord & { livemode: boolean } }
);

/** Finds a record. Throws a TypeError where there is none. */
export function foundRecord(source: RecordSource, id: string): FoundRecord {
  const found = findRecord(source, id);
  if (found === undefined) throw mistake("There is no device, SIM or subscriber of this id.");
  return found;
}

/** Finds a device by its id or EUI, and a SIM or a subscriber by its id. */
function findRecord({ served, webhooks }: RecordSource, id: string): FoundRecord | undefined {
  const { devices } = served.console.state;
  const device = devices.get(id) ?? devices.find({ dev_eui: id })[0];
  if (device !== undefined) return { kind: "device", device, ids: [device.id, device.dev_eui] };
  const subscriber = served.mobile.state.subscribers.get(id);
  if (subscriber !== undefined) return { kind: "subscriber", subscriber, ids: [id] };
  const last = webhooks.events().findLast((event) => simOf(event) === id);
  return last && { kind: "sim", last, ids: [id] };
}

/** Returns the ids of the records that an event is about, each once. */
export function recordsOf(source: RecordSource, event: StoredEvent): string[] {
  const texts = [...new Set(textsIn(event.data))];
  return texts.filter((text) => findRecord(source, text)?.ids.includes(text));
}

/** Returns the strings of a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
