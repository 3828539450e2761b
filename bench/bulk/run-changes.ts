import {
  createConsoleClient,
  type ChangeManyOptions,
  type ChangeManyRun,
  type ConsoleClient,
} from "@fieldmesh/console-client";
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import { makeFleet } from "./fleet.ts";
import { faultsOf, SETTLE_TIME } from "./run-fleet.ts";

/** The other methods over many devices, in an order in which they can run. */
export const CHANGES = ["addLabelMany", "setActiveMany", "removeLabelMany", "deleteMany"] as const;
export type Change = (typeof CHANGES)[number];

/** A change of many devices. */
export interface ChangeInput {
  readonly change: Change;
  readonly ids: readonly string[];
  readonly label: string;
}

/** A console with a fleet. */
export interface Fleet extends AsyncDisposable {
  readonly sandbox: RunningSandbox;
  readonly client: ConsoleClient;
  readonly ids: readonly string[];
  readonly label: string;
}

const ROWS: Readonly<Record<Change, string>> = {
  addLabelMany: "devices.addLabel",
  setActiveMany: "devices.setActive",
  removeLabelMany: "devices.removeLabel",
  deleteMany: "devices.delete",
};

/** Starts a console with a fleet and a label; every tenth request fails from then on. */
export async function startFleet(count: number, seed: number): Promise<Fleet> {
  const sandbox = await startSandbox({
    seed,
    // The log holds every request of one change, to find work that was done twice.
    logSize: 3 * count,
    console: { data: "empty", requestsPerMinute: Number.MAX_SAFE_INTEGER },
  });
  const { baseUrl, state } = sandbox.console;
  const client = createConsoleClient({ baseUrl, apiKey: sandbox.apiKey, retry: { baseDelay: 5 } });
  const { id: label } = await client.labels.create({ name: "Fleet" });
  await client.devices.createMany(makeFleet(count, seed));
  sandbox.setFaults(faultsOf({ seed }));
  const dispose = () => sandbox[Symbol.asyncDispose]();
  return {
    sandbox,
    client,
    ids: Array.from(state.devices.values(), ({ id }) => id),
    label,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Changes all devices of a fleet, and compares the report with the console. */
export async function runChange(fleet: Fleet, change: Change) {
  fleet.sandbox.log.clear();
  const input = { change, ids: fleet.ids, label: fleet.label };
  const report = await startChange(fleet.client, input, { settleTime: SETTLE_TIME });
  const { done, failed, unknown } = report.results;
  const seen = new Set([...done, ...failed, ...unknown].map(({ index }) => index));
  const isDone = ({ index }: { readonly index: number }): boolean =>
    isChanged(fleet, change, index);
  return {
    done: report.done,
    failed: report.failed,
    unknown: report.unknown,
    /** Devices in no list of the report, or in two. */
    unaccounted:
      Math.abs(fleet.ids.length - seen.size) +
      Math.abs(seen.size - done.length - failed.length - unknown.length),
    /** Devices that are reported as done and are not. */
    lost: done.filter((each) => !isDone(each)).length,
    failedButDone: failed.filter(isDone).length,
    doneTwice: countDoneTwice(fleet, change),
    /** Requests for each device. */
    ratio: fleet.sandbox.log.count / fleet.ids.length,
  };
}

/** Returns how many devices of the console do not have the requested state. */
export function countUnchanged(fleet: Fleet, change: Change): number {
  return fleet.ids.filter((_, index) => !isChanged(fleet, change, index)).length;
}

/**
 * Returns how many devices a change that is not repeatable was carried out for more than once. The others may be: deleting, activating
 * and removing a label again changes nothing.
 */
export function countDoneTwice({ sandbox }: Fleet, change: Change): number {
  if (change !== "addLabelMany") return 0;
  const done = sandbox.log.requests(ROWS[change]).filter((request) => request.done);
  return done.length - new Set(done.map(({ path }) => path)).size;
}

/** Starts the run of a change. */
export function startChange(
  { devices }: ConsoleClient,
  { change, ids, label }: ChangeInput,
  options: ChangeManyOptions,
): ChangeManyRun {
  const inputs = <Rest>(rest: Rest) => ids.map((device_id) => ({ device_id, ...rest }));
  switch (change) {
    case "addLabelMany":
      return devices.addLabelMany(inputs({ label }), options);
    case "setActiveMany":
      return devices.setActiveMany(inputs({ active: false }), options);
    case "removeLabelMany":
      return devices.removeLabelMany(inputs({ label_id: label }), options);
    case "deleteMany": {
      const records = ids.map((id) => ({ id }));
      return devices.deleteMany(records, options);
    }
  }
}

function isChanged({ sandbox, ids, label }: Fleet, change: Change, index: number): boolean {
  const device = sandbox.console.state.devices.get(ids[index]!);
  switch (change) {
    case "addLabelMany":
      return device?.label_ids.has(label) === true;
    case "setActiveMany":
      return device?.active === false;
    case "removeLabelMany":
      return device?.label_ids.has(label) === false;
    case "deleteMany":
      return device === undefined;
  }
}
