import {
  dropped,
  type WireEvent,
  HANDED_OVER,
  handedOver,
  joined,
  responded,
  taken,
} from "../uplinks/event-records.ts";
import type { ConsoleState, DeviceRecord } from "../state/state.ts";
import { uplinkOf } from "../uplinks/uplink.ts";

const MAX_EVENTS = 100;
const MAX_INTEGRATION_EVENTS = 10;

/** Returns the last 100 events of a device, newest first. */
export function eventsOf(device: DeviceRecord, state: ConsoleState): WireEvent[] {
  return first(MAX_EVENTS, allEvents(device, state));
}

/** Returns the last 10 events of a device that send an uplink to an integration. */
export function integrationEventsOf(device: DeviceRecord, state: ConsoleState): Handed[] {
  return first(MAX_INTEGRATION_EVENTS, onlyHanded(allEvents(device, state)));
}

type Handed = Extract<WireEvent, { readonly sub_category: typeof HANDED_OVER }>;

function* onlyHanded(events: Iterable<WireEvent>): Generator<Handed, undefined> {
  for (const event of events) if (isHanded(event)) yield event;
}

function isHanded(event: WireEvent): event is Handed {
  return event.sub_category === HANDED_OVER;
}

function first<T>(count: number, items: Iterable<T>): T[] {
  const found: T[] = [];
  for (const item of items) {
    if (found.length === count) break;
    found.push(item);
  }
  return found;
}

/** Newest first. Created one by one, because no reader needs all of them. The spec shows no joins, drops and responses. */
function* allEvents(device: DeviceRecord, state: ConsoleState): Generator<WireEvent, undefined> {
  const isFull = state.deployment.records === "full";
  for (const stretch of device.heard.toReversed()) {
    if (!isFull && stretch.fate !== "taken") continue;
    for (let ago = 0; ago < Math.min(stretch.count, MAX_EVENTS); ago++) {
      const uplink = uplinkOf(device, state, stretch, ago);
      for (const integration of stretch.integrations) {
        yield* responded(uplink, integration);
        yield handedOver(uplink, integration);
      }
      yield stretch.fate === "taken" ? taken(uplink) : dropped(uplink, stretch.fate);
      // A device joins before it sends for the first time.
      if (!isFull || uplink.frame > 0) continue;
      yield joined(uplink, "join_accept");
      yield joined(uplink, "join_request");
    }
  }
}
