import { compareDevice, compareLabel, idReader } from "./compare-devices.ts";
import { compareFlows, compareIntegrations } from "./compare-flows.ts";
import { identityOf, toSubject, type Fleet, type FleetDevice } from "./fleet.ts";
import type { Mapping } from "./mapping.ts";
import type { Plan } from "./plan.ts";
import type { Snapshot } from "./snapshot.ts";

/** Compares a fleet with a console. */
export function makePlan(fleet: Fleet, target: Snapshot, mapping: Mapping): Plan {
  const devices = new Map(fleet.devices.map((device) => [identityOf(device), device]));
  const foreign = target.devices.filter((device) => !devices.has(identityOf(device)));
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
      devices: foreign.length,
      labels: countOthers(target.labels, fleet.labels),
      integrations: countOthers(target.integrations, fleet.integrations),
    },
  };
  const profiles = idReader(plan, mapping.configProfile, {
    kind: "config_profiles",
    why: "its id in this console, or null for no profile",
  });
  for (const label of fleet.labels)
    compareLabel(plan, label, target, profiles(label.config_profile_id));
  const pairs = new Set(foreign.map(pairOf));
  for (const [identity, device] of devices) {
    const config_profile_id = profiles(device.config_profile_id);
    const there = found.get(identity);
    if (there !== undefined) compareDevice(plan, device, there, config_profile_id);
    else if (pairs.has(pairOf(device)))
      plan.byHand.push({
        ...toSubject(device),
        what: "the console has it with another key, which no call can change",
        fields: { app_key: {} },
      });
    else plan.newDevices.push(device);
  }
  const leftOut = compareIntegrations(plan, fleet, target, mapping);
  compareFlows(plan, fleet, target, mapping, { found, leftOut });
  return plan;
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
