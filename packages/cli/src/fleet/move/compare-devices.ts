import type { Device } from "@fieldmesh/console-client";
import { toSubject, type FleetDevice, type FleetLabel } from "./fleet.ts";
import type { Mapping } from "./mapping.ts";
import type { Plan } from "./plan.ts";
import { profileOfLabel, settingsOf, type Snapshot } from "./snapshot.ts";

/** Returns a function that translates the id of a config profile. Each id that the mapping lacks is one open question. */
export function profileReader(
  plan: Plan,
  mapping: Mapping,
): (id: string | null) => string | undefined {
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

export function compareLabel(
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
    // A console that does not show the profile of a label received the profile with the label.
    if (
      config_profile_id !== undefined &&
      current !== undefined &&
      !isSame(current, config_profile_id)
    )
      plan.labelProfiles.push({ name, id: there.id, config_profile_id });
  }
  const current = there === undefined ? {} : settingsOf(there);
  // The defaults of a new label are known once it exists.
  if (there === undefined) return;
  for (const [setting, value] of Object.entries(label.settings))
    if (value !== undefined && current[setting as keyof typeof current] !== value)
      plan.byHand.push({
        kind: "label",
        name,
        what: `${setting} must be ${value}, which no call can set`,
        fields: { [setting]: { from: current[setting as keyof typeof current], to: value } },
      });
}

export function compareDevice(
  plan: Plan,
  device: FleetDevice,
  there: Device,
  config_profile_id: string | undefined,
): void {
  const { id } = there;
  if (there.name !== device.name)
    plan.byHand.push({
      ...toSubject(device),
      what: `its name in the console is ${JSON.stringify(there.name)}, which no call can change`,
      fields: { name: { from: there.name, to: device.name } },
    });
  if (config_profile_id !== undefined && !isSame(there.config_profile_id, config_profile_id))
    plan.deviceProfiles.push({ device, id, config_profile_id });
  for (const label of device.labels)
    if (there.labels.every(({ name }) => name !== label))
      plan.deviceLabels.push({ device, id, label });
  const { active } = device;
  if (active !== undefined && there.active !== active)
    plan.activations.push({ device, id, active });
}

/** Compares ids without case. */
function isSame(a: string | null | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}
