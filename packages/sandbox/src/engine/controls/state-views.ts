import { recordOf, stringifyJson, mistake } from "@fieldmesh/core/internal";
import type { ConsoleState, DeviceRecord } from "../console/state/state.ts";
import { accountRecord } from "../ledger/account-records.ts";
import type { Served } from "../services/served.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import { filterRecords, wordsOf } from "./filter.ts";
import { HIDDEN } from "./request-details.ts";
import type { StatePage, StateRow } from "./wire.ts";

export interface StateSource {
  readonly served: Served;
  readonly events: readonly StoredEvent[];
}

/** A list of records: their number, and all of them, each made when it is read. */
interface Collection {
  readonly size: (source: StateSource) => number;
  readonly rows: (source: StateSource) => Iterable<StateRow>;
}

/** The lists of records, by name. Credentials are left out, and personal data is hidden. */
const collections: Readonly<Record<string, Collection>> = {
  devices: {
    size: ({ served }) => served.console.state.devices.size,
    rows: ({ served }) =>
      map(served.console.state.devices.values(), deviceRow(served.console.state)),
  },
  labels: {
    size: ({ served }) => served.console.state.labels.size,
    rows: ({ served: { console } }) => labelRows(console.state),
  },
  flows: {
    size: ({ served }) => served.console.state.flows.size,
    rows: ({ served: { console } }) => flowRows(console.state),
  },
  integrations: {
    size: ({ served }) => served.console.state.integrations.size,
    rows: ({ served: { console } }) =>
      map(console.state.integrations.values(), ({ id, name, type }) => ({ name, type, id })),
  },
  accounts: {
    size: ({ served }) => served.ledger.state.accounts,
    rows: ({ served }) => accountRows(served),
  },
  uplinks: {
    size: ({ served }) => served.mapper.state.uplinks.length,
    rows: ({ served }) =>
      map(served.mapper.state.uplinks, ({ at, dev_eui = null, position }) => ({
        at: stamp(at),
        dev_eui,
        ...position,
      })),
  },
  subscribers: {
    size: ({ served }) => served.mobile.state.subscribers.size,
    rows: ({ served }) =>
      map(served.mobile.state.subscribers.values(), (subscriber) => ({
        id: subscriber.id,
        status: textOf(subscriber["locked_status"]),
        created_at: textOf(subscriber["created_at"]),
        livemode: subscriber.livemode,
        email: HIDDEN,
      })),
  },
  subscriptions: {
    size: ({ served }) => served.mobile.state.subscriptions.size,
    rows: ({ served }) =>
      map(served.mobile.state.subscriptions.values(), (subscription) => ({
        id: subscription.id,
        subscriber_id: textOf(subscription["subscriber_id"]),
        status: textOf(subscription["status"]),
        livemode: subscription.livemode,
      })),
  },
  sims: {
    size: ({ events }) => lastOfSims(events).size,
    rows: ({ events }) => map(lastOfSims(events).values(), simRow),
  },
};

export function countState(source: StateSource): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(collections).map(([name, { size }]) => [name, size(source)]),
  );
}

const MOST_ROWS = 200;

/** Returns a part of a list. Throws a TypeError for a list that does not exist. */
export function listState(
  source: StateSource,
  name: string,
  { offset, search }: { readonly offset: number; readonly search: string },
): StatePage {
  const collection = Object.hasOwn(collections, name) ? collections[name] : undefined;
  if (collection === undefined)
    throw mistake(`There is no list ${name}. Use ${Object.keys(collections).join(", ")}.`);
  if (wordsOf(search).length === 0) {
    const rows: StateRow[] = [];
    let at = 0;
    for (const row of collection.rows(source)) {
      if (at++ >= offset) rows.push(row);
      // The size is known: the rest need not be made.
      if (rows.length === MOST_ROWS) break;
    }
    return { total: collection.size(source), rows, matches: [] };
  }
  const { found, matches } = filterRecords([...collection.rows(source)], search, (fields) => ({
    fields,
  }));
  return { total: found.length, rows: found.slice(offset, offset + MOST_ROWS), matches };
}

function* map<T>(values: Iterable<T>, toRow: (value: T) => StateRow): Iterable<StateRow> {
  for (const value of values) yield toRow(value);
}

/** Returns a function that shows a device with the names of its labels and integrations, and without its key. */
export function deviceRow(state: ConsoleState): (device: DeviceRecord) => StateRow {
  const integrationsOf = integrationNames(state);
  return (device) => {
    const labels = [...device.label_ids];
    return {
      name: device.name,
      dev_eui: device.dev_eui,
      active: device.active,
      labels: labels.map((id) => state.labels.get(id)?.name ?? id).join(", "),
      flows: [device.id, ...labels].flatMap(integrationsOf).join(", "),
      last_connected: device.last_connected === null ? null : stamp(device.last_connected),
      total_packets: device.total_packets,
      id: device.id,
    };
  };
}

function labelRows(state: ConsoleState): Iterable<StateRow> {
  const integrationsOf = integrationNames(state);
  const devices = new Map<string, number>();
  for (const { label_ids } of state.devices.values())
    for (const id of label_ids) devices.set(id, (devices.get(id) ?? 0) + 1);
  return map(state.labels.values(), ({ id, name }) => ({
    name,
    devices: devices.get(id) ?? 0,
    flows: integrationsOf(id).join(", "),
    id,
  }));
}

function flowRows(state: ConsoleState): Iterable<StateRow> {
  return map(state.flows.values(), ({ id, label_id, device_id, integration_id }) => ({
    from:
      label_id === null
        ? `device ${state.devices.get(device_id ?? "")?.name ?? device_id}`
        : `label ${state.labels.get(label_id)?.name ?? label_id}`,
    integration: state.integrations.get(integration_id)?.name ?? integration_id,
    id,
  }));
}

/** Returns a function that names the integrations which a flow connects to a device or a label. */
function integrationNames({ flows, integrations }: ConsoleState): (id: string) => string[] {
  const names = new Map<string, string[]>();
  for (const { label_id, device_id, integration_id } of flows.values()) {
    const from = label_id ?? device_id ?? "";
    const name = integrations.get(integration_id)?.name ?? integration_id;
    names.set(from, [...(names.get(from) ?? []), name]);
  }
  return (id) => names.get(id) ?? [];
}

function* accountRows({ ledger: { state } }: Served): Iterable<StateRow> {
  for (let index = 0; index < state.accounts; index++) {
    const address = state.chain.addresses.of(index);
    const { balance, dc_balance, nonce } = accountRecord(state, address, index);
    // Bones are larger than any number that JavaScript can write exactly.
    yield { address, balance: String(balance), dc_balance, nonce, hotspots: state.hotspots };
  }
}

/** Returns the id of the SIM that an event is about; `undefined` for an event of another kind. */
export function simOf({ type, data }: StoredEvent): string | undefined {
  const { id } = recordOf(data["object"]);
  return type.startsWith("sim.") && typeof id === "string" ? id : undefined;
}

/** Returns the last event of each SIM by its id. The service has no list of SIMs. */
function lastOfSims(events: readonly StoredEvent[]): Map<string, StoredEvent> {
  const sims = new Map<string, StoredEvent>();
  for (const event of events) {
    const id = simOf(event);
    if (id === undefined) continue;
    sims.delete(id);
    sims.set(id, event);
  }
  return sims;
}

function simRow({ type, created_at, data }: StoredEvent): StateRow {
  const { id, state, subscription_id, subscriber_id } = recordOf(data["object"]);
  return {
    id: textOf(id),
    state: textOf(state),
    subscription_id: textOf(subscription_id),
    subscriber_id: textOf(subscriber_id),
    last_event: type,
    at: created_at,
  };
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : stringifyJson(value);
}

function stamp(ms: number): string {
  return new Date(ms).toISOString();
}
