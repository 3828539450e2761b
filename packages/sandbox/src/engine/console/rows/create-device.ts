import type { SampleOf } from "@fieldmesh/http/internal";
import type { devices as table } from "@fieldmesh/console-client/endpoints";
import { byId } from "../state/lookup.ts";
import type { ConsoleState, DeviceRecord } from "../state/state.ts";

/** The input for a new device, in wire format. */
export type NewDevice = SampleOf<(typeof table)["create"]>["input"];

export interface Rejection {
  readonly field: string;
  readonly rule: string;
}

/** Adds a device with valid fields, or returns which field prevents it. */
export function addDevice(state: ConsoleState, input: NewDevice): DeviceRecord | Rejection {
  const { name, config_profile_id = null, label_ids = [] } = input;
  // Running deployments store them in upper case.
  const store = (text: string) =>
    state.deployment.inputs === "observed" ? text.toUpperCase() : text;
  const [dev_eui, app_eui, app_key] = [
    store(input.dev_eui),
    store(input.app_eui),
    store(input.app_key),
  ];
  const rejectsTaken = state.deployment.duplicates === "rejected";
  if (rejectsTaken && state.devices.find({ dev_eui, app_eui, app_key }).length > 0) {
    return { field: "dev_eui", rule: "has already been taken" };
  }
  const labels = label_ids.map((id) => byId(state.labels, id));
  if (labels.includes(undefined)) return { field: "label_ids", rule: "is invalid" };
  const device: DeviceRecord = {
    id: state.newId(),
    name,
    dev_eui,
    app_eui,
    app_key,
    config_profile_id,
    active: true,
    adr_allowed: null,
    cf_list_enabled: null,
    rx_delay: null,
    dc_usage: 0,
    total_packets: 0,
    in_xor_filter: false,
    last_connected: null,
    label_ids: new Set(labels.flatMap((label) => label?.id ?? [])),
    next_uplink: state.firstUplink(),
    heard: [],
  };
  state.devices.add(device);
  return device;
}
