// Compares an inventory with the devices of a console.
import type { ConsoleClient, NewDevice } from "@fieldmesh/console-client";
import { keyOf, readRows, type InventoryRow } from "../tour/inventory.ts";
import { runJobs, type JobPlan, type Outcome } from "./run-jobs.ts";
import type { Settings } from "./settings.ts";

/** The label of devices that the inventory does not contain. Nothing is deleted. */
const LABEL = "Not in the inventory";

/** What a night has found and done. */
export interface Night {
  /** The devices of the console, and of the inventory. */
  readonly known: number;
  readonly wanted: number;
  /** What became of the devices that were missing. */
  readonly created: Outcome;
  readonly labeled: number;
  readonly unlabeled: number;
  /** The line of the inventory for a row of `created`. */
  readonly lineOf: (row: number) => number;
}

/** Creates what the console lacks, and labels what the inventory does not contain. A second call finds nothing to do. */
export async function reconcile(
  file: string,
  settings: Settings,
  plan: JobPlan,
  signal: AbortSignal,
): Promise<Night> {
  const { client, engine, lease } = settings;
  const wanted = new Map<string, InventoryRow>();
  for await (const row of readRows(file)) wanted.set(keyOf(row.device), row);
  const label = await findLabel(client);

  const missing = new Map(wanted);
  const toLabel: string[] = [];
  const toUnlabel: string[] = [];
  let known = 0;
  // One device at a time, in a fleet of any size.
  for await (const device of client.devices.each({ priority: "background", signal })) {
    known++;
    missing.delete(keyOf(device));
    const isWanted = wanted.has(keyOf(device));
    const isLabeled = device.labels.some(({ id }) => id === label);
    if (!isWanted && !isLabeled) toLabel.push(device.id);
    if (isWanted && isLabeled) toUnlabel.push(device.id);
  }

  const rows = [...missing.values()];
  const created = await runJobs(devicesOf(rows), settings, plan, signal);
  // The same devices may be missing again tomorrow: the queue would drop jobs that it has.
  if (created.report.missing.length === 0) await engine.remove(created.ids);

  const options = (name: string) => ({
    signal,
    lease: { id: `reconciliation-${name}`, store: engine.leases, duration: lease },
  });
  const { done: labeled } = await client.devices.addLabelMany(
    toLabel.map((device_id) => ({ device_id, label })),
    options("label"),
  );
  const { done: unlabeled } = await client.devices.removeLabelMany(
    toUnlabel.map((device_id) => ({ device_id, label_id: label })),
    options("unlabel"),
  );
  const lineOf = (row: number): number => rows[row]?.line ?? 0;
  return { known, wanted: wanted.size, created, labeled, unlabeled, lineOf };
}

async function findLabel({ labels }: ConsoleClient): Promise<string> {
  const label = (await labels.find({ name: LABEL })) ?? (await labels.create({ name: LABEL }));
  return label.id;
}

async function* devicesOf(
  rows: readonly InventoryRow[],
): AsyncGenerator<NewDevice, void, undefined> {
  for (const { device } of rows) yield device;
}
