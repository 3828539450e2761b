import { createRandom, type Random } from "../../random.ts";
import type { ConsoleState, DeviceRecord } from "../state/state.ts";
import type { Stretch } from "../state/stretch.ts";

/** One uplink: its known values, and random ones that are the same each time it is read. */
export interface Uplink {
  readonly device: DeviceRecord;
  readonly state: ConsoleState;
  /** The id of the uplink and of everything that the console does with it. */
  readonly router_uuid: string;
  readonly time: number;
  readonly frame: number;
  /** The data credits of the organization after it. */
  readonly balance: number;
  readonly hotspot: ReturnType<typeof newHotspot>;
  readonly payload: string;
  /** Whether the device asks for a confirmation. Most do not (observed). */
  readonly confirmed: boolean;
  /** Its decoded payload, if `sendUplink` created it. */
  readonly made: Stretch["made"];
}

/** The length of every payload in bytes. */
export const PAYLOAD_SIZE = 8;
export const PORT = 2;
/** In full records, one of this many uplinks is confirmed. */
const ONE_IN_CONFIRMED = 10;

/** Returns the uplink at this distance before the last one of a stretch. */
export function uplinkOf(
  device: DeviceRecord,
  state: ConsoleState,
  { last, frame: lastFrame, balance, cost, made }: Stretch,
  ago: number,
): Uplink {
  const frame = lastFrame - ago;
  const random = createRandom(device.id, `uplink ${frame}`);
  const isSpec = state.deployment.records === "spec";
  return {
    device,
    state,
    router_uuid: random.guid(),
    time: last - ago * state.uplinkInterval,
    frame,
    balance: balance + ago * cost,
    hotspot: newHotspot(random, state),
    payload: base64Of(random.hex(2 * PAYLOAD_SIZE)),
    confirmed: isSpec || random.int(1, ONE_IN_CONFIRMED) === 1,
    made,
  };
}

/** Returns the session of a device that has joined. */
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

/** Running deployments do not always know the location of a hotspot. */
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

function base64Of(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
  return btoa(String.fromCharCode(...bytes));
}
