import { setTimeout as sleep } from "node:timers/promises";
import type {
  BulkCheckpoint,
  ConsoleClient,
  Device,
  NewDevice,
  NewFlow,
} from "@fieldmesh/console-client";
import type { Context } from "../../context.ts";
import { createOnce } from "../create-once.ts";
import type { StateFile } from "../files/state-file.ts";
import { runBulk } from "../run-bulk.ts";
import { identityOf, type Fleet, type FleetDevice } from "./fleet.ts";
import type { Mapping } from "./mapping.ts";
import { makePlan, type NewFlow as PlannedFlow, type Plan } from "./plan.ts";
import { readConsole, type Snapshot } from "./snapshot.ts";

/** What must survive a kill; it holds no key. The rest of a run follows from what the console holds. */
export interface ApplyState {
  readonly checkpoint?: BulkCheckpoint;
}

export interface Application {
  readonly context: Context;
  readonly client: ConsoleClient;
  readonly fleet: Fleet;
  readonly mapping: Mapping;
  readonly state: StateFile<ApplyState>;
  readonly settleTime: number | undefined;
}

const LOOKS = 16;
const SETTLE_TIME = 5_000;

/** Makes what a plan lacks, and tells whether it sent anything. */
type Step = (application: Application, plan: Plan, now: Snapshot) => Promise<boolean>;

/** Each step needs the ids of what the ones before have made. */
const STEPS: readonly Step[] = [
  createLabels,
  createDevices,
  setProfiles,
  addLabels,
  setActive,
  createIntegrations,
  createFlows,
];

/** Makes a console like a fleet, and returns what is still different. */
export async function applyFleet(application: Application, first: Snapshot): Promise<Plan> {
  const { fleet, mapping, client, context } = application;
  let now = first;
  let plan = makePlan(fleet, now, mapping);
  for (const step of STEPS) {
    if (!(await step(application, plan, now))) continue;
    now = await readConsole(client, context.signal);
    plan = makePlan(fleet, now, mapping);
  }
  return plan;
}

async function createLabels(
  { client, context: { signal }, settleTime }: Application,
  { newLabels }: Plan,
): Promise<boolean> {
  for (const label of newLabels)
    await createOnce({
      create: () => client.labels.create(label, { signal }),
      find: async () =>
        (await client.labels.list({ signal })).find(({ name }) => name === label.name),
      settleTime,
      signal,
    });
  return newLabels.length > 0;
}

/** Creates what is missing, and waits until the list of the console shows it. */
async function createDevices(
  { client, context, fleet, mapping, state, settleTime }: Application,
  plan: Plan,
  now: Snapshot,
): Promise<boolean> {
  const { checkpoint } = (await state.load()) ?? {};
  if (plan.newDevices.length === 0 && checkpoint === undefined) return false;
  // All that can be there, and not the missing ones alone: a checkpoint belongs to one list of devices.
  const possible = new Set([...plan.newDevices, ...now.devices].map(identityOf));
  const devices = new Map(fleet.devices.map((device) => [identityOf(device), device] as const));
  const sent = [...devices].flatMap(([identity, device]) =>
    possible.has(identity) ? [toNewDevice(device, now, mapping)] : [],
  );
  const { created, skipped, results } = await runBulk(context, {
    what: "Creating devices",
    total: sent.length,
    stateFile: state.path,
    start: (options) =>
      client.devices.createMany(sent, {
        ...options,
        ifExists: "skip",
        settleTime,
        checkpoint,
        onCheckpoint: (next) => state.save({ checkpoint: next }),
      }),
  });
  for (const { dev_eui, error } of [...results.failed, ...results.unknown])
    context.output.note(`device ${dev_eui ?? "without an EUI"}: ${error}`);

  const isShown = (device: Device): boolean => devices.has(identityOf(device));
  for (let look = 1; look < LOOKS; look++) {
    const list = await client.devices.list({ signal: context.signal });
    if (list.filter(isShown).length >= created + skipped) break;
    // It lags behind what the console has done.
    await sleep(settleTime ?? SETTLE_TIME, undefined, { signal: context.signal });
  }
  return true;
}

function toNewDevice(
  { name, dev_eui, app_eui, app_key, ...device }: FleetDevice,
  { labels }: Snapshot,
  mapping: Mapping,
): NewDevice {
  const label_ids = labels
    .filter((label) => device.labels.includes(label.name))
    .map(({ id }) => id);
  const { config_profile_id: profile } = device;
  const config_profile_id = profile === null ? undefined : mapping.configProfile(profile);
  return {
    name,
    dev_eui,
    app_eui,
    app_key,
    ...(config_profile_id && { config_profile_id }),
    ...(label_ids.length > 0 && { label_ids }),
  };
}

async function setProfiles(
  { client, context: { signal } }: Application,
  { labelProfiles, deviceProfiles }: Plan,
): Promise<boolean> {
  for (const { id, config_profile_id } of labelProfiles)
    await client.labels.setConfigProfile({ label_id: id, config_profile_id }, { signal });
  for (const { id, config_profile_id } of deviceProfiles)
    await client.devices.setConfigProfile({ device_id: id, config_profile_id }, { signal });
  return labelProfiles.length + deviceProfiles.length > 0;
}

async function addLabels(
  { client, context, settleTime }: Application,
  { deviceLabels }: Plan,
  { labels }: Snapshot,
): Promise<boolean> {
  const ids = new Map(labels.map(({ id, name }) => [name, id]));
  for (const [name, added] of Map.groupBy(deviceLabels, ({ label }) => label)) {
    const label = ids.get(name);
    if (label === undefined) continue;
    const changes = added.map(({ id }) => ({ device_id: id, label }));
    await runBulk(context, {
      what: `Adding the label ${JSON.stringify(name)}`,
      total: changes.length,
      start: (options) => client.devices.addLabelMany(changes, { ...options, settleTime }),
    });
  }
  return deviceLabels.length > 0;
}

async function setActive(
  { client, context, settleTime }: Application,
  { activations }: Plan,
): Promise<boolean> {
  if (activations.length === 0) return false;
  const changes = activations.map(({ id, active }) => ({ device_id: id, active }));
  await runBulk(context, {
    what: "Activating and deactivating devices",
    total: changes.length,
    start: (options) => client.devices.setActiveMany(changes, { ...options, settleTime }),
  });
  return true;
}

async function createIntegrations(
  { client, context: { signal }, settleTime }: Application,
  { newIntegrations }: Plan,
): Promise<boolean> {
  for (const integration of newIntegrations)
    await createOnce({
      create: () => client.integrations.create(integration, { signal }),
      find: async () =>
        (await client.integrations.list({ signal })).find(({ name }) => name === integration.name),
      settleTime,
      signal,
    });
  return newIntegrations.length > 0;
}

async function createFlows(
  { client, context: { signal }, settleTime }: Application,
  { newFlows }: Plan,
  now: Snapshot,
): Promise<boolean> {
  const toFlow = flowTranslator(now);
  for (const planned of newFlows) {
    const flow = toFlow(planned);
    // Its label, device or integration could not be created, which the last plan tells.
    if (flow === undefined) continue;
    const { integration_id } = flow;
    await createOnce({
      create: () => client.flows.create(flow, { signal }),
      find: async () =>
        (await client.flows.list({ integration_id }, { signal })).find((each) =>
          (["label_id", "device_id", "function_id"] as const).every(
            (field) => (each[field] ?? undefined) === flow[field],
          ),
        ),
      settleTime,
      signal,
    });
  }
  return newFlows.length > 0;
}

/** Translates names and EUIs into the ids of a console. */
function flowTranslator(snapshot: Snapshot): (flow: PlannedFlow) => NewFlow | undefined {
  const integrations = new Map(snapshot.integrations.map(({ id, name }) => [name, id]));
  const labels = new Map(snapshot.labels.map(({ id, name }) => [name, id]));
  const devices = new Map(snapshot.devices.map((device) => [identityOf(device), device.id]));
  return ({ integration, to, function_id }) => {
    const integration_id = integrations.get(integration);
    if (integration_id === undefined) return undefined;
    const common = { integration_id, ...(function_id !== undefined && { function_id }) };
    if ("label" in to) {
      const label_id = labels.get(to.label);
      return label_id === undefined ? undefined : { ...common, label_id };
    }
    const device_id = devices.get(identityOf(to.device));
    return device_id === undefined ? undefined : { ...common, device_id };
  };
}
