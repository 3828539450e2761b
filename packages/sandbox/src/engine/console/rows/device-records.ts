import type { SampleOf } from "@fieldmesh/http/internal";
import type { devices as table } from "@fieldmesh/console-client/endpoints";
import type { ConsoleState, DeviceRecord } from "../state/state.ts";
import { labelsOf } from "../state/labels-of.ts";
import { sessionOf } from "../uplinks/uplink.ts";

type WireDevice = SampleOf<(typeof table)["get"]>["output"];
type WireFoundDevice = SampleOf<(typeof table)["find"]>["output"];

/** Returns a device as in the list, with all fields. */
export function inList(device: DeviceRecord, state: ConsoleState): WireDevice {
  const { active, config_profile_id, rx_delay } = device;
  return {
    ...common(device, state),
    active,
    config_profile_id,
    rx_delay: rx_delay ?? USUAL_DELAY,
    ...beyondSpec(device, state),
  };
}

/** Returns a device as a lookup by id, a creation or a change returns it: in the spec, without three fields of the list. */
export function asFound(device: DeviceRecord, state: ConsoleState): WireDevice {
  return state.deployment.records === "full" ? inList(device, state) : common(device, state);
}

/** Returns devices as a lookup by EUIs returns them. Without duplicates, there is one. */
export function lookedUp(
  [first, ...others]: [DeviceRecord, ...DeviceRecord[]],
  state: ConsoleState,
): WireFoundDevice {
  const { lookup } = state.deployment;
  if (lookup === "descriptor") return descriptor(first, state);
  if (lookup === "device") return inList(first, state);
  return [first, ...others].map((device) => inList(device, state));
}

/** The seconds between an uplink and its downlink, in networks that set nothing else. */
const USUAL_DELAY = 1;

/** The spec has a timestamp in every device, so one that has never sent has the earliest. Running deployments have `null`. */
function stampOf({ last_connected }: DeviceRecord, { deployment }: ConsoleState): string | null {
  if (last_connected === null && deployment.records === "full") return null;
  return toStamp(last_connected ?? 0);
}

/** The console writes UTC without a zone, to the second. */
function toStamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, "YYYY-MM-DDThh:mm:ss".length);
}

function descriptor(device: DeviceRecord, { organization }: ConsoleState): WireFoundDevice {
  const { app_eui, app_key, dev_eui, id, name } = device;
  const { id: organization_id, oui } = organization;
  return { app_eui, app_key, dev_eui, id, name, organization_id, oui };
}

function common(device: DeviceRecord, state: ConsoleState): WireDevice {
  return {
    adr_allowed: device.adr_allowed,
    app_eui: device.app_eui,
    app_key: device.app_key,
    cf_list_enabled: device.cf_list_enabled,
    dc_usage: device.dc_usage,
    dev_eui: device.dev_eui,
    id: device.id,
    in_xor_filter: device.in_xor_filter,
    labels: labelsOf(device, state),
    last_connected: stampOf(device, state),
    name: device.name,
    organization_id: state.organization.id,
    oui: state.organization.oui,
    total_packets: device.total_packets,
  };
}

/** A device that has joined has a session. One that has never sent has none. */
function beyondSpec(
  { id, last_connected }: DeviceRecord,
  { deployment }: ConsoleState,
): Partial<WireDevice> {
  if (deployment.records === "spec") return {};
  if (last_connected === null)
    return { region: null, devaddr: null, nwk_s_key: null, app_s_key: null };
  return { region: "EU868", ...sessionOf(id) };
}
