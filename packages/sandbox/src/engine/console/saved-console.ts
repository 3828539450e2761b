import { parseJson, Secret, stringifyJson } from "@fieldmesh/core";
import type { RateWindows } from "../serve/rate-limit.ts";
import { saveWindows } from "../saved/saved.ts";
import type { ConsoleRows } from "../saved/snapshot-schema.ts";
import { type PastList, type WrittenList, writeList } from "./stale-list.ts";
import type { ConsoleRandoms, ConsoleState, DeviceRecord } from "./state/state.ts";
import type { Stretch } from "./uplinks/stretch.ts";

/** In this process, the devices are the records themselves, which never change. In JSON they are rows. Earlier lists are written for JSON only. */
export interface SavedConsole extends Omit<ConsoleRows, "devices" | "past"> {
  readonly devices: readonly (SavedDevice | DeviceRecord)[];
  readonly past: readonly (WrittenList | PastList)[];
}

/** All that a console remembers. */
export interface ConsoleMemory {
  readonly state: ConsoleState;
  readonly randoms: ConsoleRandoms;
  readonly windows: RateWindows;
  /** The earlier device lists for the fault `stale`. */
  readonly past: (PastList | WrittenList)[];
}

export function saveConsole({ state, randoms, windows, past }: ConsoleMemory): SavedConsole {
  return {
    organization: { ...state.organization },
    keys: [...state.keys],
    labels: Array.from(state.labels.values(), (label) => ({ ...label })),
    devices: withJson([...state.devices.values()], saveDevice),
    integrations: Array.from(state.integrations.values(), ({ id, name, type, target }) => ({
      id,
      name,
      type,
      ...(target !== undefined && { target: target.reveal() }),
    })),
    flows: Array.from(state.flows.values(), (flow) => ({ ...flow })),
    ids: randoms.ids.position(),
    phases: randoms.phases.position(),
    windows: saveWindows(windows),
    past: withJson([...past], (each) => writeList(each, state)),
  };
}

export function loadConsole(saved: SavedConsole, { state, past }: ConsoleMemory): void {
  for (const [key, kind] of saved.keys) state.keys.set(key, kind);
  for (const label of saved.labels) state.labels.set(label.id, { ...label });
  for (const device of saved.devices)
    state.devices.add(Array.isArray(device) ? loadDevice(device) : device);
  for (const { target, ...integration } of saved.integrations)
    state.integrations.set(integration.id, {
      ...integration,
      target: target === undefined ? undefined : new Secret(target),
    });
  for (const flow of saved.flows) state.flows.set(flow.id, { ...flow });
  past.push(...saved.past);
}

type SavedDevice = ConsoleRows["devices"][number];

/** JSON has no `Infinity`. */
const never = Number.POSITIVE_INFINITY;

function withJson<Kept>(
  records: readonly Kept[],
  save: (record: Kept) => unknown,
): readonly Kept[] {
  // Not enumerable, so that two snapshots are compared by their records.
  return Object.defineProperty(records, "toJSON", { value: () => records.map(save) });
}

function saveDevice(device: DeviceRecord): SavedDevice {
  return [
    device.id,
    device.dev_eui,
    device.app_eui,
    device.app_key,
    device.name,
    device.active,
    device.adr_allowed,
    device.cf_list_enabled,
    device.rx_delay,
    device.config_profile_id,
    device.dc_usage,
    device.total_packets,
    device.in_xor_filter,
    device.last_connected,
    [...device.label_ids],
    device.next_uplink === never ? null : device.next_uplink,
    device.heard.map(saveStretch),
  ];
}

function loadDevice(row: SavedDevice): DeviceRecord {
  return {
    id: row[0],
    dev_eui: row[1],
    app_eui: row[2],
    app_key: row[3],
    name: row[4],
    active: row[5],
    adr_allowed: row[6],
    cf_list_enabled: row[7],
    rx_delay: row[8],
    config_profile_id: row[9],
    dc_usage: row[10],
    total_packets: row[11],
    in_xor_filter: row[12],
    last_connected: row[13],
    label_ids: new Set(row[14]),
    next_uplink: row[15] ?? never,
    heard: row[16].map(loadStretch),
  };
}

type SavedStretch = SavedDevice[16][number];

function saveStretch(stretch: Stretch): SavedStretch {
  const { fate, count, last, frame, balance, integrations, made } = stretch;
  if (integrations.length === 0 && made === undefined) return [fate, count, last, frame, balance];
  const handovers = integrations.map((each) => ({ ...each }));
  if (made === undefined) return [fate, count, last, frame, balance, handovers];
  const decoded = made.decoded === undefined ? [] : [stringifyJson(made.decoded)];
  return [fate, count, last, frame, balance, handovers, decoded];
}

function loadStretch(row: SavedStretch): Stretch {
  const [fate, count, last, frame, balance, integrations = [], decoded] = row;
  const stretch = { fate, count, last, frame, balance, integrations };
  if (decoded === undefined) return stretch;
  const [text] = decoded;
  return { ...stretch, made: { decoded: text === undefined ? undefined : parseJson(text) } };
}
