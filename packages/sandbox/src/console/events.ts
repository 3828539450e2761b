import type { devices as table } from "@fieldmesh/console-client/endpoints";
import { createRandom, type Random } from "../random.js";
import type { ConsoleState, DeviceRecord } from "./state.js";
import type { Stretch } from "./uplinks.js";

type EventAnswer = (typeof table)["events"]["sample"]["output"][number];

const MAX_EVENTS = 100;
const MAX_INTEGRATION_EVENTS = 10;
const HANDED_OVER = "uplink_integration_req";

/** The last 100 events of a device, newest first. */
export function eventsOf(device: DeviceRecord, state: ConsoleState): EventAnswer[] {
  return first(MAX_EVENTS, allEvents(device, state), () => true);
}

/** The last 10 that hand an uplink to an integration. */
export function integrationEventsOf(device: DeviceRecord, state: ConsoleState): EventAnswer[] {
  return first(
    MAX_INTEGRATION_EVENTS,
    allEvents(device, state),
    ({ sub_category }) => sub_category === HANDED_OVER,
  );
}

function first<T>(count: number, items: Iterable<T>, fits: (item: T) => boolean): T[] {
  const found: T[] = [];
  for (const item of items) {
    if (found.length === count) break;
    if (fits(item)) found.push(item);
  }
  return found;
}

/** Newest first, and made one by one: nobody asks for all of them. */
function* allEvents(device: DeviceRecord, state: ConsoleState): Generator<EventAnswer, undefined> {
  for (const stretch of device.heard.toReversed()) {
    for (let ago = 0; ago < Math.min(stretch.count, MAX_EVENTS); ago++)
      yield* eventsOfUplink(device, state, stretch, ago);
  }
}

/** One uplink: what is known of it, and what is drawn for it, the same in every reading. */
interface Uplink {
  readonly device: DeviceRecord;
  readonly state: ConsoleState;
  /** Of the uplink and of all that the console does with it. */
  readonly router_uuid: string;
  readonly time: number;
  readonly frame: number;
  readonly balance: number;
  readonly hotspot: Hotspot;
  readonly payload: string;
}

function* eventsOfUplink(
  device: DeviceRecord,
  state: ConsoleState,
  { fate, integrations, last, frame, balance }: Stretch,
  ago: number,
): Generator<EventAnswer, undefined> {
  const random = createRandom(device.id, `uplink ${frame - ago}`);
  const hotspot = newHotspot(random, state);
  const payload = Buffer.from(random.hex(2 * PAYLOAD_SIZE), "hex").toString("base64");
  const drawn = { router_uuid: random.guid(), hotspot, payload };
  const time = last - ago * state.uplinkInterval;
  const uplink = { device, state, ...drawn, time, frame: frame - ago, balance: balance + ago };
  for (const integration of integrations) yield handedOver(uplink, integration);
  yield fate === "taken" ? taken(uplink) : dropped(uplink, fate);
  // A device joins before it sends for the first time.
  if (uplink.frame === 0) yield* [joined(uplink, "join_accept"), joined(uplink, "join_request")];
}

const PAYLOAD_SIZE = 8;
const PORT = 2;

function taken(uplink: Uplink): EventAnswer {
  const { balance, frame, hotspot, payload, device } = uplink;
  return {
    ...common(uplink, "uplink"),
    sub_category: "uplink_confirmed",
    description: "Confirmed data up received",
    data: {
      dc: { balance, nonce: 1, used: 1 },
      devaddr: sessionOf(device.id).devaddr,
      fcnt: frame,
      hold_time: 0,
      hotspot,
      mac: [],
      payload,
      payload_size: PAYLOAD_SIZE,
      port: PORT,
    },
  };
}

function dropped(uplink: Uplink, fate: "inactive" | "no credit"): EventAnswer {
  const inactive = fate === "inactive";
  return {
    ...common(uplink, "uplink_dropped"),
    sub_category: inactive ? "uplink_dropped_device_inactive" : "uplink_dropped_not_enough_dc",
    description: inactive
      ? "Device inactive, packet dropped"
      : "Not enough data credits, packet dropped",
    data: { fcnt: uplink.frame, hotspot: uplink.hotspot },
  };
}

/** Running deployments write the text `undefined` here. */
function joined(uplink: Uplink, category: "join_request" | "join_accept"): EventAnswer {
  const description = category === "join_request" ? "Join request received" : "Join accept sent";
  return {
    ...common(uplink, category),
    sub_category: "undefined",
    description,
    data: { hotspot: uplink.hotspot },
  };
}

function handedOver(uplink: Uplink, integration: { id: string; name: string }): EventAnswer {
  return {
    ...common(uplink, "uplink"),
    sub_category: HANDED_OVER,
    description: `Request sent to ${integration.name}`,
    data: {
      integration: { ...integration, status: "success" },
      req: { qos: 0, body: uplinkBody(uplink) },
    },
  };
}

/** What an integration is sent. */
function uplinkBody({ device, state, frame, payload, time, hotspot }: Uplink): object {
  const { app_eui, dev_eui, id, name, adr_allowed, cf_list_enabled } = device;
  const flags = { adr_allowed: adr_allowed ?? false, cf_list_enabled: cf_list_enabled ?? false };
  return {
    app_eui,
    dev_eui,
    devaddr: sessionOf(id).devaddr,
    fcnt: frame,
    hotspots: [{ ...hotspot, hold_time: 0, reported_at: time, status: "success" }],
    id,
    metadata: { ...flags, multi_buy: 1, organization_id: state.organization.id },
    name,
    payload,
    payload_size: PAYLOAD_SIZE,
    port: PORT,
    reported_at: time,
    uuid: id,
  };
}

function common<const Category extends string>(
  { device, state, router_uuid, time, frame }: Uplink,
  category: Category,
) {
  return {
    category,
    device_id: device.id,
    organization_id: state.organization.id,
    router_uuid,
    frame_up: frame,
    frame_down: null,
    reported_at: String(time),
  };
}

/** The session of a device that has joined. */
export function sessionOf(device_id: string): {
  devaddr: string;
  nwk_s_key: string;
  app_s_key: string;
} {
  const random = createRandom(device_id, "session");
  return { devaddr: `48${random.hex(6)}`, nwk_s_key: random.hex(32), app_s_key: random.hex(32) };
}

const HOTSPOTS = [
  { id: "112hotspotXharbour", lat: 47.5596, long: 7.5886, name: "calm-teal-heron" },
  { id: "112hotspotXreservoir", lat: 47.5412, long: 7.6121, name: "brisk-amber-otter" },
  { id: "112hotspotXquarry", lat: 47.5733, long: 7.6404, name: "odd-cobalt-lynx" },
] as const;

type Hotspot = ReturnType<typeof newHotspot>;

/** Running deployments do not always know where a hotspot is. */
function newHotspot(random: Random, { deployment }: ConsoleState) {
  const { lat, long, ...hotspot } = random.pick(HOTSPOTS);
  const channel = random.int(0, 7);
  const placeless = deployment.records === "full" && random.int(1, 4) === 1;
  return {
    channel,
    frequency: 867.1 + Math.round(channel * 2) / 10,
    ...hotspot,
    lat: placeless ? "unknown" : lat,
    long: placeless ? "unknown" : long,
    rssi: -random.int(60, 120),
    snr: random.int(-80, 120) / 10,
    spreading: `SF${random.int(7, 10)}BW125`,
  };
}
