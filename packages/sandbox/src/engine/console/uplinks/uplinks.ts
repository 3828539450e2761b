import type { Layer } from "../../serve/call.ts";
import type {
  ConsoleState,
  DeviceChange,
  DeviceRecord,
  IntegrationRecord,
} from "../state/state.ts";
import type { Stretch } from "../state/stretch.ts";
import { spendCredits } from "./spend-credits.ts";

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
  const { organization, uplinkInterval: interval } = state;
  const due: DeviceRecord[] = [];
  for (const device of state.devices.values()) if (device.next_uplink <= now) due.push(device);
  if (due.length === 0) return;
  const senders = due.filter(({ active }) => active);
  const credits = Math.max(0, organization.dc_balance);
  const paid = spendCredits(senders, { credits, now, interval });
  for (const [at, { count, balance }] of paid.entries()) {
    const device = senders[at];
    if (device === undefined || count === 0) continue;
    organization.dc_balance -= count;
    const cost = senders.length;
    const first = receiveDue(device, state, {
      fate: "taken",
      count: 1,
      balance: balance + (count - 1) * cost,
      cost: 0,
    });
    if (count > 1)
      receiveDue(first, state, {
        fate: "taken",
        count: count - 1,
        balance,
        cost: count > 2 ? cost : 0,
      });
  }
  for (const { id } of due) {
    const device = state.devices.get(id);
    if (device === undefined || device.next_uplink > now) continue;
    const count = Math.floor((now - device.next_uplink) / interval) + 1;
    receiveDue(device, state, { fate: device.active ? "no credit" : "inactive", count, ...UNPAID });
  }
}

/** What a dropped uplink costs, and shows of the credits. */
const UNPAID = { balance: 0, cost: 0 };

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
  const { organization, clock } = state;
  const hasCredit = organization.dc_balance > 0;
  const fate = !device.active ? "inactive" : hasCredit ? "taken" : "no credit";
  const balance = fate === "taken" ? --organization.dc_balance : 0;
  const { uplinks, change } = receive(device, {
    fate,
    count: 1,
    last: clock.now(),
    balance,
    cost: 0,
  });
  const made: Stretch = { ...uplinks, integrations: [], made: { decoded } };
  state.devices.update(device, { ...change, heard: recent([...device.heard, made]) });
  return made;
}

function receiveDue(
  device: DeviceRecord,
  state: ConsoleState,
  received: Omit<Received, "last">,
): DeviceRecord {
  const { fate, count } = received;
  const last = device.next_uplink + (count - 1) * state.uplinkInterval;
  const integrations =
    fate === "taken" ? integrationsOf(device, state).map(({ id, name }) => ({ id, name })) : [];
  const { uplinks, change } = receive(device, { ...received, last });
  return state.devices.update(device, {
    ...change,
    next_uplink: last + state.uplinkInterval,
    heard: recent(append(device.heard, { ...uplinks, integrations })),
  });
}

/** Appends uplinks, to the last stretch if they continue it. Each uplink continues it as if it had come alone. */
function append(heard: readonly Stretch[], added: Stretch): readonly Stretch[] {
  const before = heard.at(-1);
  if (
    before?.fate !== added.fate ||
    before.made !== undefined ||
    !sameIds(before.integrations, added.integrations)
  )
    return [...heard, added];
  const cost = before.balance - added.balance - (added.count - 1) * added.cost;
  const isSame = [before, added].every((each) => each.count === 1 || each.cost === cost);
  if (!isSame) return [...heard, added];
  return [...heard.slice(0, -1), { ...added, count: before.count + added.count, cost }];
}

type Received = Pick<Stretch, "fate" | "count" | "last" | "balance" | "cost">;

/** Returns received uplinks, and what they change of the device. */
function receive(
  device: DeviceRecord,
  received: Received,
): { uplinks: Omit<Stretch, "integrations">; change: DeviceChange } {
  const { fate, count, last } = received;
  const frame = (device.heard.at(-1)?.frame ?? -1) + count;
  return {
    uplinks: { ...received, frame },
    change:
      fate === "taken"
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
