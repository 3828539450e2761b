import type { Layer } from "../call.js";
import type { ConsoleState, DeviceRecord } from "./state.js";

/**
 * Uplinks of a device that met the same fate, one every so many minutes. The events of them are made when they are read:
 * a fleet that runs for days costs a few of these a device.
 */
export interface Stretch {
  readonly fate: "taken" | "inactive" | "no credit";
  /** To whom they were handed, as it was named then. */
  readonly integrations: readonly { readonly id: string; readonly name: string }[];
  count: number;
  /** When the last one came. */
  last: number;
  /** Its frame counter. */
  frame: number;
  /** Data credits of the organization after it. */
  balance: number;
}

/** As many uplinks as the events of a device can ever show. */
const KEPT = 100;

/** The layer that lets devices send what is due before a call is worked on. */
export function letTimePass(state: ConsoleState): Layer {
  return (next) => async (call) => {
    passTime(state);
    return next(call);
  };
}

/** Brings the console to the clock's time: uplinks come in, credits go down. */
export function passTime(state: ConsoleState): void {
  const now = state.clock.now();
  for (const device of state.devices.values()) {
    if (device.next_uplink > now) continue;
    const due = Math.floor((now - device.next_uplink) / state.uplinkInterval) + 1;
    const taken = device.active ? Math.min(due, Math.max(0, state.organization.dc_balance)) : 0;
    if (taken > 0) receive(device, state, "taken", taken);
    if (due > taken) receive(device, state, device.active ? "no credit" : "inactive", due - taken);
  }
}

function receive(
  device: DeviceRecord,
  state: ConsoleState,
  fate: Stretch["fate"],
  count: number,
): void {
  const { heard } = device;
  const before = heard.at(-1);
  const last = device.next_uplink + (count - 1) * state.uplinkInterval;
  device.next_uplink = last + state.uplinkInterval;
  if (fate === "taken") {
    state.organization.dc_balance -= count;
    device.dc_usage += count;
    device.total_packets += count;
    device.last_connected = last;
    device.in_xor_filter = true;
  }
  const integrations = fate === "taken" ? integrationsOf(device, state) : [];
  const frame = (before?.frame ?? -1) + count;
  const now = { last, frame, balance: state.organization.dc_balance };
  if (before?.fate === fate && sameIds(before.integrations, integrations)) {
    Object.assign(before, now, { count: before.count + count });
  } else {
    heard.push({ fate, integrations, count, ...now });
  }
  forget(heard);
}

/** Those to which a flow leads from the device itself, or from one of its labels. */
function integrationsOf(
  device: DeviceRecord,
  { flows, integrations }: ConsoleState,
): { id: string; name: string }[] {
  const ids = new Set<string>();
  for (const flow of flows.values()) {
    const fromLabel = flow.label_id !== null && device.label_ids.has(flow.label_id);
    if (fromLabel || flow.device_id === device.id) ids.add(flow.integration_id);
  }
  return [...ids].flatMap((id) => {
    const name = integrations.get(id)?.name;
    return name === undefined ? [] : [{ id, name }];
  });
}

function sameIds(a: Stretch["integrations"], b: Stretch["integrations"]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]?.id);
}

function forget(heard: Stretch[]): void {
  const later = () => heard.slice(1).reduce((sum, { count }) => sum + count, 0);
  while (heard.length > 1 && later() >= KEPT) heard.shift();
}
