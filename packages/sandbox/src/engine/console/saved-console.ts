import { parseJson, Secret, stringifyJson } from "@fieldmesh/core";
import type { RateWindows } from "../serve/rate-limit.ts";
import { saveWindows } from "../saved/saved.ts";
import { type ConsoleRows, DEVICE_FIELDS, type SavedDevice } from "../saved/snapshot-schema.ts";
import { type PastList, type WrittenList, writeList } from "./stale-list.ts";
import type { ConsoleRandoms, ConsoleState, DeviceRecord } from "./state/state.ts";
import type { Stretch } from "./state/stretch.ts";

/** In this process, the devices are the records themselves, which never change. In JSON they are rows. Earlier lists are written for JSON only. */
export interface SavedConsole extends Omit<ConsoleRows, "devices" | "past"> {
  readonly devices: readonly (DeviceRow | DeviceRecord)[];
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
    integrations: saveIntegrations(state.integrations),
    formerIntegrations: saveIntegrations(state.formerIntegrations),
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
  loadIntegrations(saved.integrations, state.integrations);
  loadIntegrations(saved.formerIntegrations, state.formerIntegrations);
  for (const flow of saved.flows) state.flows.set(flow.id, { ...flow });
  past.push(...saved.past);
}

type SavedIntegrations = ConsoleRows["integrations"];

function saveIntegrations(from: ConsoleState["integrations"]): SavedIntegrations {
  return Array.from(from.values(), ({ id, name, type, target }) => ({
    id,
    name,
    type,
    ...(target !== undefined && { target: target.reveal() }),
  }));
}

function loadIntegrations(saved: SavedIntegrations, to: ConsoleState["integrations"]): void {
  for (const { target, ...integration } of saved)
    to.set(integration.id, {
      ...integration,
      target: target === undefined ? undefined : new Secret(target),
    });
}

type DeviceRow = unknown[];

/** JSON has no `Infinity`. */
const never = Number.POSITIVE_INFINITY;

function withJson<Kept>(
  records: readonly Kept[],
  save: (record: Kept) => unknown,
): readonly Kept[] {
  // Not enumerable, so that two snapshots are compared by their records.
  return Object.defineProperty(records, "toJSON", { value: () => records.map(save) });
}

function saveDevice({ label_ids, next_uplink, heard, ...same }: DeviceRecord): DeviceRow {
  const saved: SavedDevice = {
    ...same,
    label_ids: [...label_ids],
    next_uplink: next_uplink === never ? null : next_uplink,
    heard: heard.map(saveStretch),
  };
  return DEVICE_FIELDS.map((field) => saved[field]);
}

function loadDevice(row: DeviceRow): DeviceRecord {
  const entries = DEVICE_FIELDS.map((field, at) => [field, row[at]]);
  // The schema of the snapshot has checked each value.
  const saved = Object.fromEntries(entries) as SavedDevice;
  return {
    ...saved,
    label_ids: new Set(saved.label_ids),
    next_uplink: saved.next_uplink ?? never,
    heard: saved.heard.map(loadStretch),
  };
}

type SavedStretch = SavedDevice["heard"][number];

function saveStretch(stretch: Stretch): SavedStretch {
  const { fate, count, last, frame, balance, cost, integrations, made } = stretch;
  if (integrations.length === 0 && made === undefined)
    return [fate, count, last, frame, balance, cost];
  const handovers = integrations.map((each) => ({ ...each }));
  if (made === undefined) return [fate, count, last, frame, balance, cost, handovers];
  const decoded = made.decoded === undefined ? [] : [stringifyJson(made.decoded)];
  return [fate, count, last, frame, balance, cost, handovers, decoded];
}

function loadStretch(row: SavedStretch): Stretch {
  const [fate, count, last, frame, balance, cost, integrations = [], decoded] = row;
  const stretch = { fate, count, last, frame, balance, cost, integrations };
  if (decoded === undefined) return stretch;
  const [text] = decoded;
  return { ...stretch, made: { decoded: text === undefined ? undefined : parseJson(text) } };
}
