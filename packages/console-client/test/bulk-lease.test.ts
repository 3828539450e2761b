import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { InputError, Secret, type BulkLease, type NewDevice } from "../src/index.ts";
import { fleet, LEAST, lossOf, QUICK, recording } from "./lease.ts";
import { idOf } from "./model-console.ts";
import { startOddConsole } from "./odd-console.ts";

test("a run claims its lease before it reads or sends anything, and forgets it at the end", async () => {
  const { calls, lease } = recording();
  const console = startOddConsole({ receive: () => void calls.push("send") });
  const inputs = (function* () {
    calls.push("read");
    yield* fleet.slice(0, 2);
  })();
  const report = await console.client.devices.createMany(inputs, { ...QUICK, lease });
  expect(report.created).toBe(2);
  expect(calls).toEqual(["claim", "read", "send", "forget"]);
});

test("a lease that another run holds ends the run before anything is sent, and says until when", async () => {
  const store = memoryStore();
  await store.claim("job-1", "another", 60_000);
  const console = startOddConsole({});
  const { devices } = console.client;
  const options = { ...QUICK, lease: { id: "job-1", store } };
  for (const run of [
    devices.createMany(fleet, { ...options, ifExists: "skip" }),
    devices.deleteMany([{ id: idOf(1) }], options),
    devices.setActiveMany([{ device_id: idOf(1), active: true }], options),
    devices.addLabelMany([{ device_id: idOf(1), label: idOf(2) }], options),
    devices.removeLabelMany([{ device_id: idOf(1), label_id: idOf(2) }], options),
  ]) {
    const error = await lossOf(run);
    expect(error.heldUntil!.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(error).toMatchObject({ progress: { settled: 0, unsettled: 0 } });
    expect(error.message).toContain("Nothing was sent.");
  }
  expect(console.counts).toEqual({ creates: 0, lists: 0, changes: 0 });
});

test("the next owner looks up what an earlier one may have sent, before it sends anything", async () => {
  const store = memoryStore();
  await store.claim("job-1", "killed", 1);
  await sleep(10);
  const console = startOddConsole({});
  await console.client.devices.createMany(fleet.slice(0, 3), QUICK);
  const lease = { id: "job-1", store };
  const report = await console.client.devices.createMany(fleet, { ...QUICK, lease });
  expect(report).toMatchObject({ created: 6, failed: 0, unknown: 0 });
  expect(console.devices).toHaveLength(6);
  expect(console.counts.lists).toBe(2);
});

test("a store that hangs or fails ends the run before anything is sent", async () => {
  const console = startOddConsole({});
  const { lease } = recording();
  const claim = (): never => {
    throw new Error("the store is down");
  };
  const store = { ...lease.store, claim };
  const error = await lossOf(
    console.client.devices.createMany(fleet, { ...QUICK, lease: { id: "job-1", store } }),
  );
  expect(error.cause).toMatchObject({ message: "the store is down" });
  expect(error.message).toContain("the store of the lease failed, see `cause`. Nothing was sent.");
  expect(console.counts.creates).toBe(0);
});

test("a lease that is too short, or not a lease, is an InputError before any request", () => {
  const { devices } = startOddConsole({}).client;
  const { lease } = recording();
  const of = (changed: object) => () =>
    devices.createMany(fleet, { lease: { ...lease, ...changed } });
  expect(of({ duration: LEAST - 1 })).toThrow(InputError);
  expect(of({ duration: LEAST - 1 })).toThrow("lease.duration: must be a whole number");
  expect(of({ id: "" })).toThrow("lease.id: must be a string");
  expect(of({ store: {} })).toThrow(
    "lease.store: must have the methods claim, extend, release and forget",
  );
  expect(of({ unknown: 1 })).toThrow("unknown");
});

/** A lease without an id. `ids` are those that were claimed. */
function leaseOf() {
  const ids: string[] = [];
  const store = memoryStore();
  const claim: typeof store.claim = async (id, ...rest) => {
    ids.push(id);
    return await store.claim(id, ...rest);
  };
  return { ids, lease: { store: { ...store, claim } } satisfies BulkLease };
}

test("a second run of the same list rejects and says since when; after the first, it runs", async () => {
  const { lease } = leaseOf();
  let begun = (): void => undefined;
  const isSent = new Promise<void>((resolve) => (begun = resolve));
  let go = (): void => undefined;
  const mayGo = new Promise<void>((resolve) => (go = resolve));
  const console = startOddConsole({
    receive: async () => {
      begun();
      await mayGo;
    },
  });
  const { devices } = console.client;
  const before = Date.now();
  const first = devices.createMany(fleet, { ...QUICK, lease }).report();
  await isSent;
  // Users upload files, so the second list has other objects, and may have another chunkSize.
  const copy = fleet.map((each) => ({ ...each }));
  const error = await lossOf(devices.createMany(copy, { ...QUICK, chunkSize: 1, lease }));
  expect(error.heldSince!.getTime()).toBeGreaterThanOrEqual(before - 5);
  expect(error.heldSince!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(error.message).toContain(
    `was not started: another run holds the lease since ${error.heldSince!.toISOString()}, and until ${error.heldUntil!.toISOString()}`,
  );
  go();
  expect(await first).toMatchObject({ created: 6 });
  expect(console.devices).toHaveLength(6);
  expect(await devices.createMany(copy, { ...QUICK, lease })).toMatchObject({ created: 6 });
});

test("the id of the lease is that of the content, the method, the server and the organization", async () => {
  const { ids, lease } = leaseOf();
  const start = (organization: string, baseUrl = "https://console.test") =>
    startOddConsole({ organization: [{ id: organization }] }, { baseUrl, validation: "off" }).client
      .devices;
  const devices = start(idOf(1));
  const idsOf = async (...runs: (() => PromiseLike<unknown>)[]): Promise<string[]> => {
    ids.length = 0;
    for (const run of runs) await run().then(undefined, () => undefined);
    return ids.slice();
  };
  const options = { ...QUICK, lease };
  const [one = fleet[0]!, ...rest] = fleet;
  const secret = { ...one, app_key: new Secret(String(one.app_key)) };
  const same = await idsOf(
    () => devices.createMany(fleet, options),
    () => devices.createMany(fleet, { ...options, chunkSize: 5 }),
    () => devices.createMany(new Set(fleet), options),
    () => devices.createMany([secret, ...rest], options),
  );
  expect(same).toHaveLength(4);
  expect(new Set(same).size).toBe(1);
  expect(same[0]).toMatch(/^[\da-f]{64}$/);
  const changes = fleet.map((_, number) => ({ id: idOf(number), device_id: idOf(number) }));
  const other = await idsOf(
    () => devices.createMany([...rest, one], options),
    () => devices.createMany(rest, options),
    () => devices.createMany([{ ...one, name: "Tank" }, ...rest], options),
    () => devices.createMany([{ ...one, app_key: "F".repeat(32) }, ...rest], options),
    () => devices.createMany([], options),
    () => devices.deleteMany(changes, options),
    () =>
      devices.setActiveMany(
        changes.map((each) => ({ ...each, active: true })),
        options,
      ),
    () => start(idOf(2)).createMany(fleet, options),
    () => start(idOf(1), "https://other.test").createMany(fleet, options),
  );
  expect(new Set([...same, ...other]).size).toBe(10);
});

test("a list of more than one block has one id, and each of its devices counts", async () => {
  const { ids, lease } = leaseOf();
  const { client } = startOddConsole({});
  const long = Array.from({ length: 2_500 }, (_, at) => ({ id: idOf(at) }));
  const last = [...long.slice(0, -1), { id: idOf(9_999) }];
  for (const list of [long, last])
    await client.devices.deleteMany(list, { settleTime: 0, lease }).catch(() => undefined);
  expect(new Set(ids).size).toBe(2);
});

test.each<[string, Iterable<NewDevice> | AsyncIterable<NewDevice>]>([
  ["a generator", fleet.values()],
  [
    "a stream",
    (async function* () {
      yield* fleet;
    })(),
  ],
])("%s is read once, so its lease needs an id", (_what, inputs) => {
  const { ids, lease } = leaseOf();
  const { client, counts } = startOddConsole({});
  const start = () => client.devices.createMany(inputs, { ...QUICK, lease });
  expect(start).toThrow(InputError);
  expect(start).toThrow("options.lease.id: must be set");
  expect([ids, counts.creates + counts.lists]).toEqual([[], 0]);
});
