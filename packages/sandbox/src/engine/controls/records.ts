import { mistake, readStamp, recordOf } from "@fieldmesh/core/internal";
import { redact } from "@fieldmesh/core/internal/schema";
import { responseSchema } from "@fieldmesh/http/internal";
import * as mobileTables from "@fieldmesh/mobile-client/endpoints";
import { redactEvent } from "@fieldmesh/webhook-types/parse";
import { eventsOf } from "../console/rows/events.ts";
import { findEvent } from "./delivery-view.ts";
import type { LoggedRequest } from "../log/logged-request.ts";
import type { WritableLog } from "../log/request-log.ts";
import {
  type FoundRecord,
  foundRecord,
  type RecordSource,
  recordsOf,
  textsIn,
} from "./find-record.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import { actionsOf } from "./record-actions.ts";
import { HIDDEN } from "./request-details.ts";
import { deviceRow } from "./state-views.ts";
import { toEventRow, toRequestRow } from "./views.ts";
import type { DeliveryRow, EventView, Happened, RecordView, TimelineEntry } from "./wire.ts";

/** Entries of a time line. The earliest are left out. */
const MOST_ENTRIES = 500;

/** Returns a device, a SIM or a subscriber with all that has happened to it. Throws a TypeError for another id. */
export function viewRecord(source: RecordSource, id: string): RecordView {
  const found = foundRecord(source, id);
  const [own = id] = found.ids;
  return {
    kind: found.kind,
    id: own,
    title: found.kind === "device" ? found.device.name : own,
    record: fieldsOf(source, found),
    timeline: timelineOf(source, found).slice(-MOST_ENTRIES),
    actions: actionsOf(found),
  };
}

/** Returns an event with its deliveries and the records that it is about. Throws a TypeError for an unknown one. */
export function viewEvent(source: RecordSource, id: string): EventView {
  const event = findEvent(source.webhooks, id);
  if (event === undefined) throw mistake("There is no such event.");
  const deliveries = source.webhooks.deliveries().filter(({ event_id }) => event_id === id);
  return { event: redactEvent(event), deliveries, records: recordsOf(source, event) };
}

/** Shows the fields of a record without credentials and personal data. */
function fieldsOf({ served }: RecordSource, found: FoundRecord): RecordView["record"] {
  if (found.kind === "sim") {
    const { data } = redactEvent(found.last) as StoredEvent;
    return recordOf(data["object"]);
  }
  if (found.kind === "subscriber")
    return recordOf(redact(responseSchema(mobileTables.subscribers.get), found.subscriber));
  const { device } = found;
  const { app_eui, adr_allowed, cf_list_enabled, rx_delay } = device;
  return {
    ...deviceRow(served.console.state)(device),
    app_eui,
    app_key: HIDDEN,
    adr_allowed,
    cf_list_enabled,
    rx_delay,
  };
}

/** At the same time, a request comes before what it has caused. */
const ORDER = ["request", "uplink", "event", "delivery"];

function timelineOf(source: RecordSource, found: FoundRecord): TimelineEntry[] {
  const { log, served, webhooks } = source;
  const isAbout = mentions(found.ids);
  const requests = log
    .requests()
    .filter((request) => concerns(log, request, isAbout))
    .map((request) => toRequestRow(request, served));
  const events = webhooks
    .events()
    .filter(({ data }) => textsIn(data).some((text) => found.ids.includes(text)));
  const ids = new Set(events.map(({ id }) => id));
  const deliveries = webhooks.deliveries().filter(({ event_id }) => ids.has(event_id));
  const uplinks = found.kind === "device" ? eventsOf(found.device, served.console.state) : [];
  const entries: TimelineEntry[] = [
    ...requests.map((request) => entry(request.time, { kind: "request", request })),
    ...uplinks
      .toReversed()
      .map((uplink) =>
        entry(Number(uplink.reported_at), { kind: "uplink", text: uplink.description ?? "" }),
      ),
    ...events.map((event) =>
      entry(timeOf(event.created_at), { kind: "event", event: toEventRow(event) }),
    ),
    ...deliveries.flatMap(attemptsOf),
  ];
  return entries.toSorted(
    (one, other) => one.time - other.time || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind),
  );
}

function entry(time: number, happened: Happened): TimelineEntry {
  return { time, ...happened };
}

/** An event whose time cannot be read, as tests send them, comes first. */
function timeOf(stamp: unknown): number {
  const read = readStamp(stamp);
  return "time" in read ? read.time : 0;
}

function attemptsOf(delivery: DeliveryRow): TimelineEntry[] {
  const { attempts, nextAttemptAt } = delivery;
  if (attempts.length === 0)
    return [entry(nextAttemptAt ?? 0, { kind: "delivery", delivery, attempt: undefined })];
  return attempts.map(({ at }, index) =>
    entry(at, { kind: "delivery", delivery, attempt: index + 1 }),
  );
}

/** Tells whether a request names a record, or has created it. A list that contains it is about others too. */
function concerns(
  log: WritableLog,
  { number, method, url, body = "" }: LoggedRequest,
  isAbout: (text: string) => boolean,
): boolean {
  if (isAbout(url) || isAbout(body)) return true;
  return method !== "GET" && isAbout(log.find(number)?.response?.body ?? "");
}

/** Creates a check whether a string contains one of the ids as a whole: `sim_1` is not in `sim_10`. */
function mentions(ids: readonly string[]): (text: string) => boolean {
  const words = ids.map((id) => id.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(String.raw`(?<![\w-])(?:${words.join("|")})(?![\w-])`, "i");
  return (text) => pattern.test(text);
}
