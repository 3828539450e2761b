import type { SampleOf } from "@fieldmesh/http/internal";
import { devices as table } from "@fieldmesh/console-client/endpoints";
import { type Misfit, misfitsOf, schemaFor } from "../../serve/read-input.ts";
import { addDevice, type NewDevice } from "./create-device.ts";
import { labelsOf } from "../state/labels-of.ts";
import { consoleError, fieldErrors, isPlainString } from "./errors.ts";
import type { ConsoleState, DeviceRecord } from "../state/state.ts";

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
