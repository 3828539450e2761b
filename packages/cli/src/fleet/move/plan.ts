import type { Device, NewIntegration } from "@fieldmesh/console-client";
import {
  identityOf,
  nameOf,
  type Fleet,
  type FleetDevice,
  type FleetFlow,
  type FleetLabel,
} from "./fleet.ts";
import type { Mapping, OpenQuestion } from "./mapping.ts";
import { profileOfLabel, settingsOf, type Snapshot } from "./snapshot.ts";

/** How a fleet differs from a console, and what makes them alike. Nothing is ever deleted. */
export interface Plan {
  readonly newLabels: { readonly name: string; readonly config_profile_id: string | undefined }[];
  readonly newDevices: FleetDevice[];
  readonly newIntegrations: NewIntegration[];
  readonly newFlows: NewFlow[];
  readonly labelProfiles: {
    readonly name: string;
    readonly id: string;
    readonly config_profile_id: string;
  }[];
  readonly deviceProfiles: {
    readonly device: FleetDevice;
    readonly id: string;
    readonly config_profile_id: string;
  }[];
  readonly deviceLabels: {
    readonly device: FleetDevice;
    readonly id: string;
    readonly label: string;
  }[];
  readonly activations: {
    readonly device: FleetDevice;
    readonly id: string;
    readonly active: boolean;
  }[];
  /** What no call can do. */
  readonly byHand: string[];
  /** What a mapping file has to say first. */
  readonly open: (OpenQuestion & { readonly why: string })[];
  /** What the console holds beside the fleet. */
  readonly others: {
    readonly devices: number;
    readonly labels: number;
    readonly integrations: number;
  };
}

export interface NewFlow {
  readonly integration: string;
  readonly to: FleetFlow["to"];
  readonly function_id: string | undefined;
}

/** Compares a fleet with a console. */
export function makePlan(fleet: Fleet, target: Snapshot, mapping: Mapping): Plan {
  const devices = new Map(fleet.devices.map((device) => [identityOf(device), device]));
  const found = new Map(target.devices.map((device) => [identityOf(device), device]));
  const plan: Plan = {
    newLabels: [],
    newDevices: [],
    newIntegrations: [],
    newFlows: [],
    labelProfiles: [],
    deviceProfiles: [],
    deviceLabels: [],
    activations: [],
    byHand: [],
    open: [],
    others: {
      devices: target.devices.filter((device) => !devices.has(identityOf(device))).length,
      labels: countOthers(target.labels, fleet.labels),
      integrations: countOthers(target.integrations, fleet.integrations),
    },
  };
  const profiles = profileReader(plan, mapping);
  for (const label of fleet.labels)
    compareLabel(plan, label, target, profiles(label.config_profile_id));
  const foreign = target.devices.filter((device) => !devices.has(identityOf(device)));
  const pairs = new Set(foreign.map(pairOf));
  for (const [identity, device] of devices) {
    const config_profile_id = profiles(device.config_profile_id);
    const there = found.get(identity);
    if (there !== undefined) compareDevice(plan, device, there, config_profile_id);
    else if (pairs.has(pairOf(device)))
      plan.byHand.push(
        `device ${nameOf(device)}: the console has it with another key, which no call can change`,
      );
    else plan.newDevices.push(device);
  }
  const leftOut = compareIntegrations(plan, fleet, target, mapping);
  compareFlows(plan, fleet, target, { mapping, found, leftOut });
  return plan;
}

/** The changes that calls can make. */
export function countChanges(plan: Plan): { create: number; change: number } {
  const { newLabels, newDevices, newIntegrations, newFlows } = plan;
  const { labelProfiles, deviceProfiles, deviceLabels, activations } = plan;
  const count = (...lists: (readonly unknown[])[]): number => lists.flat().length;
  return {
    create: count(newLabels, newDevices, newIntegrations, newFlows),
    change: count(labelProfiles, deviceProfiles, deviceLabels, activations),
  };
}

/** Translates the id of a config profile. Each that the mapping lacks is one open question. */
function profileReader(plan: Plan, mapping: Mapping): (id: string | null) => string | undefined {
  const asked = new Set<string>();
  return (id) => {
    if (id === null) return undefined;
    const mapped = mapping.configProfile(id);
    if (mapped === undefined && !asked.has(id)) {
      asked.add(id);
      plan.open.push({
        kind: "config_profiles",
        key: id,
        why: "its id in this console, or null for no profile",
      });
    }
    return mapped ?? undefined;
  };
}

function compareLabel(
  plan: Plan,
  label: FleetLabel,
  target: Snapshot,
  config_profile_id: string | undefined,
): void {
  const { name } = label;
  const there = target.labels.find((each) => each.name === name);
  if (there === undefined) plan.newLabels.push({ name, config_profile_id });
  else {
    const current = profileOfLabel(there, target.devices);
    // A console that does not show the profile of a label has received it with the label.
    if (
      config_profile_id !== undefined &&
      current !== undefined &&
      !isSame(current, config_profile_id)
    )
      plan.labelProfiles.push({ name, id: there.id, config_profile_id });
  }
  const current = there === undefined ? {} : settingsOf(there);
  // What a new label has by default is known once it is there.
  if (there === undefined) return;
  for (const [setting, value] of Object.entries(label.settings))
    if (value !== undefined && current[setting as keyof typeof current] !== value)
      plan.byHand.push(
        `label ${JSON.stringify(name)}: ${setting} is ${value}, which no call can set`,
      );
}

function compareDevice(
  plan: Plan,
  device: FleetDevice,
  there: Device,
  config_profile_id: string | undefined,
): void {
  const { id } = there;
  if (there.name !== device.name)
    plan.byHand.push(
      `device ${nameOf(device)}: its name in the console is ${JSON.stringify(there.name)}, which no call can change`,
    );
  if (config_profile_id !== undefined && !isSame(there.config_profile_id, config_profile_id))
    plan.deviceProfiles.push({ device, id, config_profile_id });
  for (const label of device.labels)
    if (there.labels.every(({ name }) => name !== label))
      plan.deviceLabels.push({ device, id, label });
  const { active } = device;
  if (active !== undefined && there.active !== active)
    plan.activations.push({ device, id, active });
}

/** Returns the names of those that do not come. */
function compareIntegrations(
  plan: Plan,
  fleet: Fleet,
  target: Snapshot,
  mapping: Mapping,
): ReadonlySet<string> {
  const there = new Set(target.integrations.map(({ name }) => name));
  const leftOut = new Set<string>();
  for (const { name } of fleet.integrations) {
    if (there.has(name)) continue;
    const created = mapping.integration(name);
    if (created === undefined)
      plan.open.push({
        kind: "integrations",
        key: name,
        why: "its type and credentials, which no console shows again, or null to leave it out",
      });
    else if (created === null) leftOut.add(name);
    else plan.newIntegrations.push(created);
  }
  return leftOut;
}

interface Surroundings {
  readonly mapping: Mapping;
  readonly found: ReadonlyMap<string, Device>;
  readonly leftOut: ReadonlySet<string>;
}

function compareFlows(
  plan: Plan,
  fleet: Fleet,
  target: Snapshot,
  { mapping, found, leftOut }: Surroundings,
): void {
  const integrations = new Map(target.integrations.map(({ id, name }) => [name, id]));
  const labels = new Map(target.labels.map(({ id, name }) => [name, id]));
  const coming = new Set(plan.newDevices.map(identityOf));
  const there = new Set(
    target.flows.map((flow) =>
      flowKey(flow.integration_id, flow.label_id ?? flow.device_id, flow.function_id),
    ),
  );
  const asked = new Set<string>();
  const planned = new Set<string>();
  for (const { integration, to, function_id } of fleet.flows) {
    if (leftOut.has(integration)) continue;
    const mapped = function_id === null ? null : mapping.functionId(function_id);
    if (function_id !== null && mapped === undefined && !asked.has(function_id)) {
      asked.add(function_id);
      plan.open.push({
        kind: "functions",
        key: function_id,
        why: "its id in this console, or null for flows without it",
      });
    }
    const isLabel = "label" in to;
    const targetId = isLabel ? labels.get(to.label) : found.get(identityOf(to.device))?.id;
    if (!isLabel && targetId === undefined && !coming.has(identityOf(to.device))) continue;
    const integrationId = integrations.get(integration);
    const isThere =
      integrationId !== undefined && there.has(flowKey(integrationId, targetId, mapped));
    const key = flowKey(integration, isLabel ? `label ${to.label}` : identityOf(to.device), mapped);
    if (isThere || planned.has(key)) continue;
    planned.add(key);
    plan.newFlows.push({ integration, to, function_id: mapped ?? undefined });
  }
}

function flowKey(
  integration: string,
  to: string | null | undefined,
  function_id: string | null | undefined,
): string {
  return JSON.stringify([integration, to ?? null, function_id?.toLowerCase() ?? null]);
}

/** Ids are compared without case. */
function isSame(a: string | null | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

function pairOf({ dev_eui, app_eui }: Pick<FleetDevice, "dev_eui" | "app_eui">): string {
  return (dev_eui + app_eui).toUpperCase();
}

function countOthers(
  there: readonly { readonly name: string }[],
  wanted: readonly { readonly name: string }[],
): number {
  const names = new Set(wanted.map(({ name }) => name));
  return there.filter(({ name }) => !names.has(name)).length;
}
