import type { Layer } from "../../serve/call.ts";
import type {
  ConsoleState,
  DeviceChange,
  DeviceRecord,
  IntegrationRecord,
} from "../state/state.ts";
import type { Stretch } from "../state/stretch.ts";

/** The most uplinks that the events of a device can show. */
const KEPT = 100;

/** The layer that receives all due uplinks before a call is handled. */
export function letTimePass(state: ConsoleState): Layer {
  return (next) => async (call) => {
    passTime(state);
    return next(call);
  };
}

/** Brings the console up to date with the clock: receives uplinks, and charges credits. */
export function passTime(state: ConsoleState): void {
  const now = state.clock.now();
  for (const device of state.devices.values()) {
    if (device.next_uplink > now) continue;
    const due = Math.floor((now - device.next_uplink) / state.uplinkInterval) + 1;
    const taken = device.active ? Math.min(due, Math.max(0, state.organization.dc_balance)) : 0;
    let current = device;
    if (taken > 0) current = receiveDue(current, state, "taken", taken);
    if (due > taken)
      receiveDue(current, state, device.active ? "no credit" : "inactive", due - taken);
  }
}

/** Tells whether an uplink has arrived that the console has not received yet. */
export function isDue(state: ConsoleState): boolean {
  const now = state.clock.now();
  for (const { next_uplink } of state.devices.values()) if (next_uplink <= now) return true;
  return false;
}

/** Lets a device send now, in addition to its schedule. The uplink is not delivered yet. */
export function receiveNow({ id }: DeviceRecord, state: ConsoleState, decoded: unknown): Stretch {
  passTime(state);
  const device = state.devices.get(id) as DeviceRecord;
  const hasCredit = state.organization.dc_balance > 0;
  const fate = !device.active ? "inactive" : hasCredit ? "taken" : "no credit";
  const { uplinks, change } = receive(device, state, { fate, count: 1, last: state.clock.now() });
  const made: Stretch = { ...uplinks, integrations: [], made: { decoded } };
  state.devices.update(device, { ...change, heard: recent([...device.heard, made]) });
  return made;
}

function receiveDue(
  device: DeviceRecord,
  state: ConsoleState,
  fate: Stretch["fate"],
  count: number,
): DeviceRecord {
  const { heard } = device;
  const before = heard.at(-1);
  const last = device.next_uplink + (count - 1) * state.uplinkInterval;
  const integrations =
    fate === "taken" ? integrationsOf(device, state).map(({ id, name }) => ({ id, name })) : [];
  const { uplinks, change } = receive(device, state, { fate, count, last });
  const isSame =
    before?.fate === fate &&
    before.made === undefined &&
    sameIds(before.integrations, integrations);
  const all = isSame
    ? [...heard.slice(0, -1), { ...before, ...uplinks, count: before.count + count }]
    : [...heard, { ...uplinks, integrations }];
  return state.devices.update(device, {
    ...change,
    next_uplink: last + state.uplinkInterval,
    heard: recent(all),
  });
}

/** Receives uplinks. Accepted ones cost credits. Returns them, and what they change of the device. */
function receive(
  device: DeviceRecord,
  state: ConsoleState,
  { fate, count, last }: Pick<Stretch, "fate" | "count" | "last">,
): { uplinks: Omit<Stretch, "integrations">; change: DeviceChange } {
  const isTaken = fate === "taken";
  if (isTaken) state.organization.dc_balance -= count;
  const frame = (device.heard.at(-1)?.frame ?? -1) + count;
  return {
    uplinks: { fate, count, last, frame, balance: state.organization.dc_balance },
    change: isTaken
      ? {
          dc_usage: device.dc_usage + count,
          total_packets: device.total_packets + count,
          last_connected: last,
          in_xor_filter: true,
        }
      : {},
  };
}

/** Returns the integrations that a flow connects to the device or to one of its labels. */
export function integrationsOf(
  device: DeviceRecord,
  { flows, integrations }: ConsoleState,
): IntegrationRecord[] {
  const ids = new Set<string>();
  for (const flow of flows.values()) {
    const fromLabel = flow.label_id !== null && device.label_ids.has(flow.label_id);
    if (fromLabel || flow.device_id === device.id) ids.add(flow.integration_id);
  }
  return [...ids].flatMap((id) => integrations.get(id) ?? []);
}

function sameIds(a: Stretch["integrations"], b: Stretch["integrations"]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]?.id);
}

/** Returns the uplinks that events can show. */
function recent(heard: readonly Stretch[]): readonly Stretch[] {
  let first = heard.length - 1;
  let shown = heard[first]?.count ?? 0;
  while (first > 0 && shown < KEPT) shown += heard[--first]?.count ?? 0;
  return heard.slice(first);
}
