import { setTimeout as sleep } from "node:timers/promises";
import type {
  ChangeManyOptions,
  ChangeManyRun,
  Device,
  NewDevice,
} from "@fieldmesh/console-client";
import { inWordsOfAShell } from "../../shell-words.ts";
import { createOnce } from "../runs/create-once.ts";
import { readDevices } from "../runs/read-devices.ts";
import { runBulk } from "../runs/run-bulk.ts";
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
  (application, { newLabels }) =>
    createNamed(application, "label", newLabels, application.client.labels),
  createDevices,
  setProfiles,
  addLabels,
  setActive,
  (application, { newIntegrations }) =>
    createNamed(application, "integration", newIntegrations, application.client.integrations),
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
  const { devices: checkpoint } = state.now;
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
        onCheckpoint: (next) => state.keep({ devices: next }),
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
  application: Application,
  { deviceLabels }: Plan,
  now: Snapshot,
): Promise<boolean> {
  const { devices } = application.client;
  const ids = new Map(now.labels.map(({ id, name }) => [name, id]));
  for (const [name, added] of Map.groupBy(deviceLabels, ({ label }) => label)) {
    const label = ids.get(name);
    if (label === undefined) continue;
    const step = `label ${JSON.stringify(name)}`;
    await changeDevices(
      application,
      { step, what: `Adding the ${step}`, added, now },
      (of, options) =>
        devices.addLabelMany(
          of.map(({ id }) => ({ device_id: id, label })),
          options,
        ),
    );
  }
  return deviceLabels.length > 0;
}

async function setActive(
  application: Application,
  { activations }: Plan,
  now: Snapshot,
): Promise<boolean> {
  if (activations.length === 0) return false;
  const what = "Activating and deactivating devices";
  await changeDevices(
    application,
    { step: "active", what, added: activations, now },
    (of, options) =>
      application.client.devices.setActiveMany(
        of.map(({ id, device: { active = true } }) => ({ device_id: id, active })),
        options,
      ),
  );
  return true;
}

type OnDevice = Pick<Plan["deviceLabels"][number], "device" | "id">;

/** Changes devices. If the same step was interrupted, it is resumed with the devices of then: those that are done are in its checkpoint. */
async function changeDevices(
  { fleet, context, state, settleTime }: Application,
  {
    step,
    what,
    added,
    now,
  }: {
    readonly step: string;
    readonly what: string;
    readonly added: readonly OnDevice[];
    readonly now: Snapshot;
  },
  start: (devices: readonly OnDevice[], options: ChangeManyOptions) => ChangeManyRun,
): Promise<void> {
  const { change } = state.now;
  const earlier = change?.step === step ? change : undefined;
  const changed = new Set(added.map(({ device }) => device));
  const places =
    earlier?.places ?? fleet.devices.map((device) => (changed.has(device) ? "1" : "0")).join("");
  const ids = new Map(now.devices.map((device) => [identityOf(device), device.id]));
  const devices = fleet.devices.flatMap((device, place) => {
    const id = places[place] === "1" ? ids.get(identityOf(device)) : undefined;
    return id === undefined ? [] : [{ device, id }];
  });
  await runBulk(context, {
    what,
    total: devices.length,
    stateFile: state.path,
    start: (options) =>
      start(devices, {
        ...options,
        settleTime,
        checkpoint: earlier?.checkpoint,
        onCheckpoint: (checkpoint) => state.keep({ change: { step, places, checkpoint } }),
      }),
  });
}

/** Creates things that have a unique name in their list, each once. */
async function createNamed<New extends { readonly name: string }>(
  { context, state, settleTime }: Application,
  kind: string,
  wanted: readonly New[],
  resource: {
    create(input: New, how: { signal: AbortSignal; totalTimeout: number }): Promise<unknown>;
    list(options: { signal: AbortSignal }): Promise<readonly { readonly name: string }[]>;
  },
): Promise<boolean> {
  for (const each of wanted)
    await createOnce({
      context,
      state,
      what: `the ${kind} ${JSON.stringify(each.name)}`,
      create: (how) => resource.create(each, how),
      find: async () =>
        (await resource.list({ signal: context.signal })).find(({ name }) => name === each.name),
      settleTime,
    });
  return wanted.length > 0;
}
