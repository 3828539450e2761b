import {
  BulkChangeError,
  BulkError,
  isApiError,
  type BulkCheckpoint,
  type ChangeManyOptions,
  type ChangeManyRun,
  type ChangeProgress,
  type ChangeResult,
} from "../src/index.ts";
import { expect, test } from "vitest";
import type { FaultScript, Sandbox } from "../../sandbox/src/index.ts";
import { afterItsTime } from "../../../tools/testing/after-its-time.ts";
import { failureOf, fleet, start } from "../../../tools/testing/bulk-runs.ts";

const QUICK = { chunkSize: 10, settleTime: 1 } as const;
const VERBS = ["deleteMany", "setActiveMany", "addLabelMany", "removeLabelMany"] as const;
type Verb = (typeof VERBS)[number];

const CALLS: Record<Verb, string> = {
  deleteMany: "devices.delete",
  setActiveMany: "devices.setActive",
  addLabelMany: "devices.addLabel",
  removeLabelMany: "devices.removeLabel",
};

/** Starts a console with devices that are all in one label, and returns the four methods for lists of ids. */
async function startWithDevices(count: number) {
  const { sandbox, client } = start();
  const pumps = await client.labels.create({ name: "Pumps" });
  const valves = await client.labels.create({ name: "Valves" });
  const devices = fleet(count).map((each) => ({ ...each, label_ids: [pumps.id] }));
  const { results } = await client.devices.createMany(devices);
  const ids = results.created.map(({ id }) => id);
  sandbox.log.clear();

  const change = (
    verb: Verb,
    device_ids: readonly string[],
    more: ChangeManyOptions = {},
  ): ChangeManyRun => {
    const options = { ...QUICK, ...more, checkpoint: afterItsTime(more.checkpoint) };
    const of = <T>(rest: T) => device_ids.map((device_id) => ({ device_id, ...rest }));
    switch (verb) {
      case "deleteMany":
        return client.devices.deleteMany(
          device_ids.map((id) => ({ id })),
          options,
        );
      case "setActiveMany":
        return client.devices.setActiveMany(of({ active: false }), options);
      case "addLabelMany":
        return client.devices.addLabelMany(of({ label: valves.id }), options);
      case "removeLabelMany":
        return client.devices.removeLabelMany(of({ label_id: pumps.id }), options);
    }
  };
  const isDone = (verb: Verb, id: string): boolean => {
    const device = sandbox.console.state.devices.get(id);
    switch (verb) {
      case "deleteMany":
        return device === undefined;
      case "setActiveMany":
        return device?.active === false;
      case "addLabelMany":
        return device?.label_ids.has(valves.id) === true;
      case "removeLabelMany":
        return device?.label_ids.has(pumps.id) === false;
    }
  };
  const doneIds = (verb: Verb): string[] => ids.filter((id) => isDone(verb, id));
  return { sandbox, client, ids, change, isDone, doneIds };
}

/** Returns the maximum number of times that the work of a call was done for one device. */
function mostTimesDone({ log }: Sandbox, verb: Verb): number {
  const paths = log
    .requests(CALLS[verb])
    .filter(({ done }) => done)
    .map(({ path }) => path);
  const byPath = Map.groupBy(paths, (path) => path);
  return Math.max(0, ...Array.from(byPath.values(), ({ length }) => length));
}

test.for(VERBS)("%s changes only the devices of the input, each once", async (verb) => {
  const { change, ids, doneIds, sandbox } = await startWithDevices(40);
  const wanted = ids.slice(5, 30);
  const report = await change(verb, wanted);
  expect(report).toMatchObject({ done: 25, failed: 0, unknown: 0, settled: 25, total: 25 });
  expect(report.results.done.map(({ index, device_id }) => [index, device_id])).toEqual([
    ...wanted.entries(),
  ]);
  expect(doneIds(verb)).toEqual(wanted);
  expect(sandbox.log.requests(CALLS[verb])).toHaveLength(25);
  expect(sandbox.log.requests("devices.list")).toHaveLength(0);
});

test.for(VERBS)("%s lists invalid, duplicate and missing devices as failed", async (verb) => {
  const { change, ids } = await startWithDevices(3);
  const gone = crypto.randomUUID();
  const { results, done, failed } = await change(verb, [
    ids[0]!,
    "no UUID",
    gone,
    ids[1]!,
    ids[0]!.toUpperCase(),
  ]);
  expect([done, failed]).toEqual([2, 3]);
  expect(results.failed).toMatchObject([
    { index: 1, reason: "invalid", device_id: undefined },
    { index: 2, reason: "rejected", device_id: gone },
    { index: 4, reason: "duplicate", error: expect.stringContaining("at index 0") },
  ]);
  expect(results.failed[0]?.error).toMatch(/^(device_)?id: is not a UUID$/);
  expect(results.failed[1]?.error).toContain("404");
});

test("deleteMany accepts the records of devices.list, and addLabelMany distinguishes labels", async () => {
  const { client, sandbox, ids } = await startWithDevices(12);
  const [pumps, valves] = await client.labels.list();
  const both = [pumps!.id, valves!.id].map((label) => ({ device_id: ids[0]!, label }));
  expect(await client.devices.addLabelMany(both)).toMatchObject({ done: 2, failed: 0 });
  const report = await client.devices.deleteMany(await client.devices.list());
  expect(report).toMatchObject({ done: 12, failed: 0 });
  expect(sandbox.console.state.devices.size).toBe(0);
});

test("the second of two opposite changes of one device is a duplicate", async () => {
  const { client, ids, sandbox } = await startWithDevices(1);
  const device_id = ids[0]!;
  const report = await client.devices.setActiveMany([
    { device_id, active: false },
    { device_id, active: true },
  ]);
  expect(report.results.failed).toMatchObject([{ index: 1, reason: "duplicate" }]);
  expect(sandbox.console.state.devices.get(device_id)?.active).toBe(false);
});

const FAULTS = {
  lost: { kind: "lost", times: 5 },
  reset: { kind: "reset", times: 5 },
  truncate: { kind: "truncate", times: 5 },
  "502 after the work": { kind: "status", status: 502, afterWork: true, times: 5 },
  "503": { kind: "status", status: 503, times: 5 },
  "429": { kind: "status", status: 429, times: 5 },
} as const;

test.for(VERBS.flatMap((verb) => Object.keys(FAULTS).map((name) => [verb, name] as const)))(
  "%s completes despite the fault %s",
  async ([verb, name]) => {
    const { change, ids, doneIds, sandbox } = await startWithDevices(20);
    sandbox.setFaults([{ on: CALLS[verb], ...FAULTS[name as keyof typeof FAULTS] }] as FaultScript);
    expect(await change(verb, ids)).toMatchObject({ done: 20, failed: 0, unknown: 0 });
    expect(doneIds(verb)).toEqual(ids);
    if (verb === "addLabelMany") expect(mostTimesDone(sandbox, verb)).toBe(1);
  },
);

test("addLabelMany does not retry after a timeout, and reports the device as unknown", async () => {
  const { change, ids, doneIds, sandbox } = await startWithDevices(10);
  sandbox.setFaults([{ on: "devices.addLabel", kind: "delay", ms: 400, times: 2 }]);
  const report = await change("addLabelMany", ids, { timeout: 100 });
  expect(report).toMatchObject({ done: 8, failed: 0, unknown: 2 });
  expect(report.results.unknown[0]?.error).toContain("timed out");
  expect(sandbox.log.requests("devices.addLabel")).toHaveLength(10);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(doneIds("addLabelMany")).toEqual(ids);
});

test.for([1, 0])(
  "a repeatable change is retried after a timeout, and is done, with settleTime %i",
  async (settleTime) => {
    const { change, ids, doneIds, sandbox } = await startWithDevices(10);
    sandbox.setFaults([{ on: "devices.setActive", kind: "delay", ms: 200, times: 8 }]);
    const report = await change("setActiveMany", ids, { timeout: 80, settleTime });
    expect(report).toMatchObject({ done: 10, unknown: 0 });
    expect(doneIds("setActiveMany")).toEqual(ids);
  },
);

test("a device that no longer exists is failed and not sent again, even if its first request broke", async () => {
  const { change, sandbox } = await startWithDevices(3);
  const gone = crypto.randomUUID();
  sandbox.setFaults([{ on: "devices.setActive", kind: "reset", times: 3 }]);
  const { results } = await change("setActiveMany", [gone]);
  expect(results.failed).toMatchObject([{ reason: "rejected", device_id: gone }]);
  expect(results.failed[0]?.error).toContain("404");
  expect(sandbox.log.requests("devices.setActive").length).toBeLessThanOrEqual(5);
});

test("a change that is rejected after its first request broke is unknown, unless the list shows it", async () => {
  const { change, ids, sandbox } = await startWithDevices(3);
  const faults = (first: "reset" | "lost"): FaultScript => [
    { on: "devices.setActive", kind: first, times: 3 },
    { on: "devices.setActive", kind: "status", status: 409 },
    ...(first === "lost" ? [{ on: "devices.list", kind: "stale", times: 2 } as const] : []),
  ];
  sandbox.setFaults(faults("reset"));
  const { results } = await change("setActiveMany", [ids[0]!]);
  expect(results.unknown).toMatchObject([
    { index: 0, error: expect.stringMatching(/may have been carried out.*rejected.*409/) },
  ]);
  sandbox.setFaults(faults("lost"));
  expect(await change("setActiveMany", [ids[1]!])).toMatchObject({ done: 1, failed: 0 });
});

test("deleteMany with a list that lags deletes each device once, and none is failed", async () => {
  const { change, ids, doneIds, sandbox } = await startWithDevices(20);
  sandbox.setFaults([
    { on: "devices.delete", kind: "lost", times: 6 },
    { on: "devices.list", kind: "stale", times: 5 },
  ]);
  expect(await change("deleteMany", ids)).toMatchObject({ done: 20, failed: 0, unknown: 0 });
  expect(doneIds("deleteMany")).toEqual(ids);
});

test("a rejected key ends the run with an error that describes the run, and its checkpoint resumes it", async () => {
  const { change, ids, doneIds, sandbox } = await startWithDevices(40);
  sandbox.setFaults([{ on: "devices.delete", kind: "status", status: 401, skip: 20 }]);
  const error = await failureOf(change("deleteMany", ids));
  if (!(error instanceof BulkChangeError)) throw error;
  expect(error).not.toBeInstanceOf(BulkError);
  expect(isApiError(error.cause, 401)).toBe(true);
  expect(error.message).toContain("devices.deleteMany ended early: devices.delete (DELETE");
  expect(error.message).toMatch(
    /Until then: 20 done, 0 failed, 0 unknown; 10 were sent and .* To resume, call deleteMany/,
  );
  expect(error.progress).toMatchObject({ done: 20, settled: 20, total: 40 });
  expect(error.results.done).toHaveLength(20);
  const resumed = await change("deleteMany", ids, { checkpoint: error.checkpoint });
  expect(resumed).toMatchObject({ done: 40, failed: 0, resumed: 20 });
  expect(doneIds("deleteMany")).toEqual(ids);
});

test("a checkpoint belongs to its method, and contains no id", async () => {
  const { change, client, ids } = await startWithDevices(20);
  let checkpoint: BulkCheckpoint | undefined;
  const onCheckpoint = (next: BulkCheckpoint): void => void (checkpoint = next);
  await change("setActiveMany", ids, { onCheckpoint });
  expect(JSON.stringify(checkpoint)).not.toContain(ids[0]);
  expect((await failureOf(change("deleteMany", ids, { checkpoint }))).message).toContain(
    "devices.deleteMany rejected the checkpoint: it belongs to devices.setActiveMany.",
  );
  expect((await failureOf(client.devices.createMany([], { checkpoint }))).message).toContain(
    "belongs to devices.setActiveMany",
  );
  const others = await failureOf(change("setActiveMany", ids.toReversed(), { checkpoint }));
  expect(others.message).toContain("it belongs to other devices");
});

test("a run can be iterated and awaited, reports progress, and contains earlier failures after a resume", async () => {
  const { change, ids } = await startWithDevices(20);
  const gone = crypto.randomUUID();
  const input = [...ids.slice(0, 5), gone, ...ids.slice(5)];
  const seen: ChangeResult[] = [];
  const progress: ChangeProgress[] = [];
  let checkpoint: BulkCheckpoint | undefined;
  const run = change("setActiveMany", input, {
    onProgress: (next) => void progress.push(next),
    onCheckpoint: (next) => void (checkpoint = next),
  });
  for await (const result of run) seen.push(result);
  expect((await run).settled).toBe(seen.length);
  expect(progress.map(({ settled }) => settled)).toEqual([10, 20, 21]);
  const again = await change("setActiveMany", input, { checkpoint });
  expect(again).toMatchObject({ done: 20, failed: 1, resumed: 21 });
  expect(again.results.failed).toMatchObject([{ index: 5, device_id: gone, reason: "rejected" }]);
});

test("rejects invalid options and inputs", async () => {
  const { client } = await startWithDevices(1);
  expect(() => client.devices.deleteMany([], { chunksize: 3 } as never)).toThrow(
    /deleteMany .*chunkSize/s,
  );
  expect(() => client.devices.deleteMany([], { ifExists: "skip" } as never)).toThrow("ifExists");
  expect(() => client.devices.deleteMany("all" as never)).toThrow("deleteMany requires an array");
});
