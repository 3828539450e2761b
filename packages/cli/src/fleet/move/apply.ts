import { setTimeout as sleep } from "node:timers/promises";
import type { Device, NewDevice } from "@fieldmesh/console-client";
import { inWordsOfAShell } from "../../shell-words.ts";
import { createOnce } from "../create-once.ts";
import { readDevices } from "../read-devices.ts";
import { runBulk } from "../run-bulk.ts";
import type { Application } from "./application.ts";
import { createFlows } from "./create-flows.ts";
import { identityOf, type FleetDevice } from "./fleet.ts";
import { makePlan } from "./make-plan.ts";
import type { Mapping } from "./mapping.ts";
import type { Plan } from "./plan.ts";
import { readConsole, type Snapshot } from "./snapshot.ts";

const LOOKS = 16;
const SETTLE_TIME = 5_000;

/** Makes a part of the changes of a plan. Returns whether it sent anything. */
type Step = (application: Application, plan: Plan, now: Snapshot) => Promise<boolean>;

/** Each step needs the ids that the earlier ones created. */
const STEPS: readonly Step[] = [
  (application, { newLabels }) => createNamed(application, newLabels, application.client.labels),
  createDevices,
  setProfiles,
  addLabels,
  setActive,
  (application, { newIntegrations }) =>
    createNamed(application, newIntegrations, application.client.integrations),
  createFlows,
];

/** Makes a console match a fleet, and returns the remaining differences. */
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

/** Creates what is missing, and waits until the list of the console shows it. */
async function createDevices(
  { client, context, fleet, mapping, state, settleTime }: Application,
  plan: Plan,
  now: Snapshot,
): Promise<boolean> {
  const { checkpoint } = (await state.read()) ?? {};
  if (plan.newDevices.length === 0 && checkpoint === undefined) return false;
  // All devices that can exist, not only the missing ones, because a checkpoint belongs to one list of devices.
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
        onCheckpoint: (next) => state.write({ checkpoint: next }),
      }),
  });
  for (const { dev_eui, error } of [...results.failed, ...results.unknown])
    context.output.note(`device ${dev_eui ?? "without an EUI"}: ${inWordsOfAShell(error)}`);

  const isShown = (device: Device): boolean => devices.has(identityOf(device));
  for (let look = 1; look < LOOKS; look++) {
    const shown = await readDevices(client, context.signal, isShown);
    if (shown.length >= created + skipped) break;
    // The list lags behind the console.
    await sleep(settleTime ?? SETTLE_TIME, undefined, { signal: context.signal });
  }
  return true;
}

function toNewDevice(
  { name, dev_eui, app_eui, app_key, ...device }: FleetDevice,
  { labels }: Snapshot,
  mapping: Mapping,
): NewDevice {
  const own = labels.filter((label) => device.labels.includes(label.name));
  const label_ids = own.map(({ id }) => id);
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

/** Creates things that have a unique name in their list, each once. */
async function createNamed<New extends { readonly name: string }>(
  { context: { signal }, settleTime }: Application,
  wanted: readonly New[],
  resource: {
    create(input: New, options: { signal: AbortSignal }): Promise<unknown>;
    list(options: { signal: AbortSignal }): Promise<readonly { readonly name: string }[]>;
  },
): Promise<boolean> {
  for (const each of wanted)
    await createOnce({
      create: () => resource.create(each, { signal }),
      find: async () => (await resource.list({ signal })).find(({ name }) => name === each.name),
      settleTime,
      signal,
    });
  return wanted.length > 0;
}
