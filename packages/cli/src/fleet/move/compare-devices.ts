import type { Device } from "@fieldmesh/console-client";
import { toSubject, type FleetDevice, type FleetLabel } from "./fleet.ts";
import type { Plan } from "./plan.ts";
import { profileOfLabel, settingsOf, type Snapshot } from "./snapshot.ts";

/** Returns a function that translates an id of the fleet. Each id that the mapping lacks is one open question. */
export function idReader(
  { open }: Plan,
  read: (id: string) => string | null | undefined,
  question: Omit<Plan["open"][number], "key">,
): (id: string | null) => string | undefined {
  return (id) => {
    if (id === null) return undefined;
    const mapped = read(id);
    const isAsked = open.some(({ kind, key }) => kind === question.kind && key === id);
    if (mapped === undefined && !isAsked) open.push({ ...question, key: id });
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
  if (there === undefined) {
    // The defaults of a new label are known once it exists.
    plan.newLabels.push({ name, config_profile_id });
    return;
  }
  const profile = profileOfLabel(there, target.devices);
  // A console that does not show the profile of a label received the profile with the label.
  if (config_profile_id !== undefined && profile !== undefined)
    if (!isSame(profile, config_profile_id))
      plan.labelProfiles.push({ name, id: there.id, config_profile_id });
  const current: Readonly<Record<string, unknown>> = settingsOf(there);
  for (const [setting, value] of Object.entries(label.settings))
    if (value !== undefined && current[setting] !== value)
      plan.byHand.push({
        kind: "label",
        name,
        what: `${setting} must be ${value}, which no call can set`,
        fields: { [setting]: { from: current[setting], to: value } },
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
