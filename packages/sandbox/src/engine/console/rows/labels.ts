import { deleteFlows } from "./flow-links.ts";
import { byId, byName } from "../state/lookup.ts";
import { ifFound, notAccepted } from "./errors.ts";
import type { Resource } from "./resource.ts";
import type { ConsoleState, DeviceRecord, LabelRecord } from "../state/state.ts";

const TAKEN = "This label name has already been used in this organization";

/** Labels. Their names are unique, and deleting one removes its links to devices. */
export const labels: Resource<"labels"> = (state) => ({
  list: () => [...state.labels.values()].map((label) => inList(label, state)),
  find: ({ name }) => ifFound(byName(state.labels, name), "Label", (label) => alone(label, state)),
  get: ({ label_id }) =>
    ifFound(byId(state.labels, label_id), "Label", (label) => alone(label, state)),
  create: ({ name, config_profile_id = null }) => {
    if (byName(state.labels, name)) return notAccepted({ name: [TAKEN] });
    return alone(addLabel(state, name, config_profile_id), state);
  },
  delete: ({ label_id }) =>
    ifFound(byId(state.labels, label_id), "Label", ({ id }) => {
      state.labels.delete(id);
      for (const device of state.devices.values()) removeFromLabel(device, id, state);
      deleteFlows(state, (flow) => flow.label_id === id);
      return "Label deleted";
    }),
  setActive: ({ label_id, active }) =>
    ifFound(byId(state.labels, label_id), "Label", ({ id }) => {
      for (const device of state.devices.values())
        if (device.label_ids.has(id)) state.devices.update(device, { active });
      return "Devices updated";
    }),
  setConfigProfile: ({ label_id, config_profile_id }) =>
    ifFound(byId(state.labels, label_id), "Label", (label) => {
      label.config_profile_id = config_profile_id;
      return alone(label, state);
    }),
});

/** Adds a label. The caller has checked that the name is free. */
export function addLabel(
  state: ConsoleState,
  name: string,
  config_profile_id: string | null = null,
): LabelRecord {
  const inherited = { adr_allowed: null, cf_list_enabled: null, rx_delay: null };
  const label = { id: state.newId(), name, multi_buy: 1, ...inherited, config_profile_id };
  state.labels.set(label.id, label);
  return label;
}

/** Removes a device from a label. Returns whether it was in it. */
export function removeFromLabel(
  device: DeviceRecord,
  label_id: string,
  { devices }: ConsoleState,
): boolean {
  if (!device.label_ids.has(label_id)) return false;
  const label_ids = new Set(device.label_ids);
  label_ids.delete(label_id);
  devices.update(device, { label_ids });
  return true;
}

function inList(label: LabelRecord, { deployment }: ConsoleState) {
  return deployment.records === "full" ? { ...label } : { id: label.id, name: label.name };
}

/** Returns the response to a lookup, a creation and a change. */
function alone(label: LabelRecord, { deployment }: ConsoleState) {
  const { id, name, multi_buy } = label;
  return deployment.records === "full" ? { ...label } : { id, name, multi_buy };
}
