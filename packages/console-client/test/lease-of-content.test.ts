import { expect, test } from "vitest";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { InputError, Secret, type BulkLease, type NewDevice } from "../src/index.ts";
import { fleet, lossOf, QUICK } from "./lease.ts";
import { idOf } from "./model-console.ts";
import { startOddConsole } from "./odd-console.ts";

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
