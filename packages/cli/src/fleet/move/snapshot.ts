import type { ConsoleClient, Device, Flow, Integration, Label } from "@fieldmesh/console-client";
import { inLanes } from "../runs/in-lanes.ts";
import { readDevices } from "../runs/read-devices.ts";
import {
  type Fleet,
  type FleetDevice,
  type FleetFlow,
  type FleetLabel,
  writeFleet,
} from "./fleet.ts";

/** The contents of a console at one time. */
export interface Snapshot {
  readonly organization: string;
  readonly devices: readonly Device[];
  readonly labels: readonly Label[];
  readonly integrations: readonly Integration[];
  readonly flows: readonly Flow[];
}

/** Reads a console: its lists, each label, and the flows of each integration. */
export async function readConsole(client: ConsoleClient, signal: AbortSignal): Promise<Snapshot> {
  const around = await readAround(client, signal);
  // Last, because this list changes most.
  return { ...around, devices: await readDevices(client, signal) };
}

/** What a console has besides its devices. */
export type Around = Omit<Snapshot, "devices">;

/** Reads all of a console but its devices. */
export async function readAround(client: ConsoleClient, signal: AbortSignal): Promise<Around> {
  const { organization, labels, integrations, flows } = client;
  const [first] = await organization.list({ signal });
  const listed = await labels.list({ signal });
  const ways = await integrations.list({ signal });
  return {
    organization: first?.name ?? "",
    labels: await inLanes(listed, async (label) =>
      // By the contract, the list has only id and name.
      label.multi_buy === undefined ? await labels.get({ label_id: label.id }, { signal }) : label,
    ),
    integrations: ways,
    flows: (await inLanes(ways, ({ id }) => flows.list({ integration_id: id }, { signal }))).flat(),
  };
}

/** Writes the fleet of a console whose devices arrive one by one. At its end, `report` receives how many there were. */
export function writeSnapshot(
  around: Around,
  devices: AsyncIterable<Device>,
  report: (numbers: { devices: number; flows: number }) => void = () => undefined,
): AsyncGenerator<string> {
  let count = 0;
  const targets = new Set(around.flows.map(({ device_id }) => device_id));
  const labels = new Set<string>();
  /** The devices of flows, and one for each label: a fleet of any size is not kept. */
  const kept: Device[] = [];
  async function* pass(): AsyncGenerator<FleetDevice> {
    for await (const device of devices) {
      const isFirst = device.labels.some(({ id }) => !labels.has(id));
      if (isFirst || targets.has(device.id)) kept.push(device);
      if (isFirst) for (const { id } of device.labels) labels.add(id);
      count++;
      yield toDevice(device);
    }
  }
  return writeFleet(pass(), () => {
    const others = toFleet({ ...around, devices: kept });
    report({ devices: count, flows: others.flows.length });
    return others;
  });
}

/** Returns the fleet of a console, without its devices. */
function toFleet(snapshot: Snapshot): Omit<Fleet, "devices"> {
  const integrations = new Map(snapshot.integrations.map(({ id, name }) => [id, name]));
  const labels = new Map(snapshot.labels.map(({ id, name }) => [id, name]));
  const devices = new Map(snapshot.devices.map((device) => [device.id, device]));
  return {
    format: "fieldmesh-fleet",
    version: 1,
    exported_at: new Date().toISOString(),
    organization: snapshot.organization,
    labels: snapshot.labels.map((label) => toLabel(label, snapshot.devices)),
    integrations: snapshot.integrations.map(({ name }) => ({ name })),
    flows: snapshot.flows.flatMap(({ integration_id, label_id, device_id, function_id }) => {
      const integration = integrations.get(integration_id);
      const to = targetOf(labels.get(label_id ?? ""), devices.get(device_id ?? ""));
      if (integration === undefined || to === undefined) return [];
      return [{ integration, to, function_id: function_id ?? null }];
    }),
  };
}

/** Returns the config profile of a label; `undefined` if the console does not show it. By the contract, only devices of the label show it. */
export function profileOfLabel(
  { id, config_profile_id }: Label,
  devices: readonly Device[],
): string | null | undefined {
  if (config_profile_id !== undefined) return config_profile_id;
  for (const { labels } of devices) {
    const found = labels.find((label) => label.id === id);
    if (found !== undefined) return found.config_profile_id;
  }
  return undefined;
}

/** Returns the settings of a label that no call can change. */
export function settingsOf(label: Label): FleetLabel["settings"] {
  const names = ["multi_buy", "adr_allowed", "cf_list_enabled", "rx_delay"] as const;
  return Object.fromEntries(names.map((name) => [name, label[name] ?? undefined]));
}

function toLabel(label: Label, devices: readonly Device[]): FleetLabel {
  const config_profile_id = profileOfLabel(label, devices) ?? null;
  return { name: label.name, config_profile_id, settings: settingsOf(label) };
}

function toDevice({ name, dev_eui, app_eui, app_key, active, ...device }: Device): FleetDevice {
  const config_profile_id = device.config_profile_id ?? null;
  const labels = device.labels.map((label) => label.name);
  return {
    name,
    dev_eui,
    app_eui,
    app_key,
    active: active ?? undefined,
    config_profile_id,
    labels,
  };
}

function targetOf(
  label: string | undefined,
  device: Device | undefined,
): FleetFlow["to"] | undefined {
  if (label !== undefined) return { label };
  if (device === undefined) return undefined;
  const { dev_eui, app_eui, app_key } = device;
  return { device: { dev_eui, app_eui, app_key } };
}
