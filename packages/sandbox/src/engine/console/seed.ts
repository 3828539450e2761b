import { Secret, stringifyJson } from "@fieldmesh/core";
import { createRandom, type Random } from "../random.ts";
import { addDevice } from "./rows/create-devices.ts";
import { addFlow } from "./rows/flow-links.ts";
import { addIntegration } from "./rows/integrations.ts";
import { byName } from "./state/lookup.ts";
import { addLabel } from "./rows/labels.ts";
import type { ConsoleState, DeviceRecord, LabelRecord } from "./state/state.ts";

const SITES = [
  "Canal Lock 7",
  "Old Harbour",
  "Reservoir Hill",
  "Quarry Road",
  "Mill Weir",
  "East Basin",
] as const;
const KINDS = [
  { label: "Flow meters", name: "Flow meter", app_eui: "70B3D57ED0050001", count: 14 },
  { label: "Level gauges", name: "Level gauge", app_eui: "70B3D57ED0050002", count: 12 },
  { label: "Gate sensors", name: "Gate sensor", app_eui: "70B3D57ED0050003", count: 8 },
] as const;
/** One of this many devices has not sent for days. */
const ONE_IN_SILENT = 7;
const SPARES = 4;
const WINTER = "Winter check";
const ARCHIVE = "Telemetry archive";

const DAY = 24 * 60 * 60_000;
/** Ten minutes. */
export const USUAL_INTERVAL = 10 * 60_000;

/** Fills a console with a small fleet: devices that send, some that have stopped, and spare ones without a label. */
export function seedConsole(state: ConsoleState, seed: number | string): void {
  const random = createRandom(seed, "console fleet");
  const winter = addLabel(state, WINTER);
  for (const { label, name, app_eui, count } of KINDS) {
    const group = addLabel(state, label);
    for (let number = 1; number <= count; number++) {
      const labels = number % 5 === 0 ? [group, winter] : [group];
      const silent = number % ONE_IN_SILENT === 0;
      const full = `${name} ${number} ${random.pick(SITES)}`;
      heard(state, random, silent, { name: full, app_eui, labels });
    }
  }
  for (let number = 1; number <= SPARES; number++) {
    const { app_eui } = KINDS[0];
    const spare = newDevice(state, random, { name: `Spare ${number}`, app_eui, labels: [] });
    state.devices.update(spare, { next_uplink: Number.POSITIVE_INFINITY });
  }
  archive(state, createRandom(seed, "console archive"));
}

/** Connects the first kind of devices to an integration, which has received all of their uplinks. */
function archive(fleet: ConsoleState, random: Random): void {
  // Ids of their own, so the ids of what a user creates stay the same.
  const state = { ...fleet, newId: () => random.guid() };
  const target = {
    endpoint: "https://archive.example.com/uplinks",
    method: "post",
    headers: { authorization: `Bearer ${random.hex(32).toLowerCase()}` },
  };
  const added = addIntegration(state, ARCHIVE, "http", new Secret(stringifyJson(target)));
  const label = byName(state.labels, KINDS[0].label);
  if (!("id" in added) || label === undefined) return;
  const { id, name } = added;
  const flow = { label_id: label.id, device_id: null, function_id: null };
  addFlow(state, { integration_id: id, ...flow });
  for (const device of state.devices.values()) {
    if (!device.label_ids.has(label.id)) continue;
    const received = device.heard.map((each) => ({ ...each, integrations: [{ id, name }] }));
    state.devices.update(device, { heard: received });
  }
}

interface SeedDevice {
  readonly name: string;
  readonly app_eui: string;
  readonly labels: readonly LabelRecord[];
}

function newDevice(
  state: ConsoleState,
  random: Random,
  { name, app_eui, labels }: SeedDevice,
): DeviceRecord {
  const dev_eui = `0004A30B00${random.hex(6)}`;
  const device = addDevice(state, {
    name,
    dev_eui,
    app_eui,
    app_key: random.hex(32),
    label_ids: labels.map(({ id }) => id),
  });
  // This would require a collision of one in 16 million.
  if ("rule" in device)
    throw new Error(
      `The seed created a device that the console rejects: ${device.field} ${device.rule}`,
    );
  return device;
}

/** Sets when the device was last heard: recently, or for a silent device days ago. */
function heard(state: ConsoleState, random: Random, silent: boolean, seed: SeedDevice): void {
  const device = newDevice(state, random, seed);
  const pace = Math.min(USUAL_INTERVAL, state.uplinkInterval);
  const ago = silent ? random.int(3, 40) * DAY : Math.floor(random.next() * pace);
  const last = state.clock.now() - ago;
  const count = random.int(40, 9_000);
  const balance = state.organization.dc_balance;
  state.devices.update(device, {
    last_connected: last,
    next_uplink: silent ? Number.POSITIVE_INFINITY : last + state.uplinkInterval,
    total_packets: count,
    dc_usage: count,
    in_xor_filter: true,
    active: !silent || random.int(0, 1) === 0,
    heard: [{ fate: "taken", integrations: [], count, last, frame: count - 1, balance, cost: 1 }],
  });
}
