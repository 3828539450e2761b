import type { SampleOf } from "@fieldmesh/http/internal";
import { labelsOf } from "../state/labels-of.ts";
import { byId } from "../state/lookup.ts";
import type { ConsoleState, DeviceRecord } from "../state/state.ts";
import { devices as table } from "@fieldmesh/console-client/endpoints";
import { type Misfit, misfitsOf, schemaFor } from "../../serve/read-input.ts";
import { consoleError, fieldErrors, isPlainString } from "./errors.ts";

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

type Batch = SampleOf<(typeof table)["createBatch"]>["output"];

/** Creates the valid devices. Both lists are in the order in which the console finishes: the last device first. */
export function createBatch(state: ConsoleState, devices: unknown): Batch | Response {
  const { inputs } = state.deployment;
  const misfits = misfitsOf("body", schemaFor(inputs, table.createBatch.body), { devices }).filter(
    (each) => inputs === "observed" || !isPlainString(each),
  );
  const wrongList = misfits.find(({ path }) => path.length === 1);
  if (wrongList || !Array.isArray(devices) || devices.length === 0)
    return consoleError(
      400,
      `devices ${wrongList?.issue.message ?? "must have at least one device"}`,
    );
  const byIndex = Map.groupBy(misfits, ({ path }) => path[1]);
  const batch: Batch = { success: [], failure: [] };
  for (const [index, device] of devices.entries()) {
    const outcome = createOne(state, device, byIndex.get(index) ?? []);
    if (typeof outcome === "string") batch.failure.push(failed(device, outcome, state));
    else batch.success.push(created(outcome, state));
  }
  return { success: batch.success.toReversed(), failure: batch.failure.toReversed() };
}

/** Returns the device, or the problem as `<field>: <message>`. */
function createOne(
  state: ConsoleState,
  device: unknown,
  misfits: readonly Misfit[],
): DeviceRecord | string {
  const inDevice = misfits.map((misfit) => ({ ...misfit, path: misfit.path.slice(2) }));
  const [first] = Object.entries(fieldErrors(inDevice));
  if (first) return `${first[0]}: ${first[1].join(", ")}`;
  const added = addDevice(state, device as NewDevice);
  return "rule" in added ? `${added.field}: ${added.rule}` : added;
}

function created(device: DeviceRecord, state: ConsoleState): Batch["success"][number] {
  const { app_eui, app_key, config_profile_id, dev_eui, id, name } = device;
  const labels = labelsOf(device, state);
  return { app_eui, app_key, config_profile_id, dev_eui, id, labels, name };
}

/** Repeats the key, like running deployments. */
function failed(
  device: unknown,
  error: string,
  { organization }: ConsoleState,
): Batch["failure"][number] {
  const { app_eui, app_key, dev_eui } = (device ?? {}) as Readonly<Record<string, unknown>>;
  const sent = { app_eui: textOf(app_eui), app_key: textOf(app_key), dev_eui: textOf(dev_eui) };
  return { ...sent, error, organization_id: organization.id, oui: organization.oui };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
