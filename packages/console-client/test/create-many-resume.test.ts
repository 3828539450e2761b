import {
  BulkError,
  createConsoleClient,
  type BulkCheckpoint,
  type BulkProgress,
  type CreateResult,
  type NewDevice,
} from "../src/index.ts";
import { expect, test, vi } from "vitest";
import { device, failureOf, fleet, held, KEY, start } from "../../../tools/testing/bulk-runs.ts";

test('with ifExists: "skip", existing devices are skipped with their id, after one list', async () => {
  const { create, sandbox, batches } = start();
  await create([device(3), device(14)]);
  const sent = batches();
  const devices = [...fleet(25), device(3), device(30, { dev_eui: "no" })];
  const report = await create(devices, { ifExists: "skip" });
  expect(report).toMatchObject({ created: 23, skipped: 2, failed: 2, unknown: 0, settled: 27 });
  const state = sandbox.console.state.devices;
  for (const { index, id, dev_eui } of report.results.skipped)
    expect([state.get(id)?.dev_eui, dev_eui]).toEqual([device(index).dev_eui, dev_eui]);
  expect(report.results.skipped.map(({ index }) => index)).toEqual([3, 14]);
  expect(sandbox.log.requests("devices.list")).toHaveLength(1);
  expect([held(sandbox).length, batches() - sent]).toEqual([25, 3]);

  // All of them exist now, so no device is sent.
  const again = await create(devices, { ifExists: "skip" });
  expect(again).toMatchObject({ created: 0, skipped: 25, failed: 2 });
  expect(batches() - sent).toBe(3);
});

test("a device with the same EUI and another key is another device, and is sent", async () => {
  const { create } = start();
  await create([device(1)]);
  const other = device(1, { app_key: KEY.replace("00", "01") });
  expect(await create([other], { ifExists: "skip" })).toMatchObject({ created: 1, skipped: 0 });
});

test("a device that a broken request created is created, even after a kill, and never skipped", async () => {
  const lost = start([{ on: "devices.createBatch", kind: "lost" }]);
  await lost.create([device(2)]);
  lost.sandbox.setFaults([{ on: "devices.createBatch", kind: "lost" }]);
  const report = await lost.create(fleet(10), { ifExists: "skip" });
  expect(report).toMatchObject({ created: 9, skipped: 1 });

  const { create, sandbox } = start();
  await create([device(2)]);
  let checkpoint: BulkCheckpoint | undefined;
  const controller = new AbortController();
  sandbox.setFaults([{ on: "devices.createBatch", kind: "delay", ms: 100, afterWork: true }]);
  setTimeout(() => controller.abort(), 50);
  const killed = create(fleet(10), {
    ifExists: "skip",
    signal: controller.signal,
    onCheckpoint: (next) => void (checkpoint = next),
  });
  await failureOf(killed);
  sandbox.setFaults(undefined);
  const resumed = await create(fleet(10), { ifExists: "skip", checkpoint });
  expect(resumed.created + resumed.skipped).toBe(10);
  expect(held(sandbox)).toHaveLength(10);
});

test("a device list that cannot be read ends the run before a device is sent", async () => {
  const { create, batches } = start([
    { on: "devices.list", kind: "status", status: 403, times: Infinity },
  ]);
  const error = await failureOf(create(fleet(5), { ifExists: "skip" }));
  expect(error instanceof BulkError && error.message).toContain("devices.each");
  expect(batches()).toBe(0);
});

test("after a resume, the loop and the report contain the failures of earlier runs", async () => {
  const { create, client } = start(undefined, "rejected");
  await client.devices.createMany([device(1), device(12), device(35)]);
  const devices = [...fleet(40), device(0), device(41, { name: "" })];
  let checkpoint: BulkCheckpoint | undefined;
  const onCheckpoint = (next: BulkCheckpoint): void => void (checkpoint = next);
  for await (const { index } of create(devices, { concurrency: 1, onCheckpoint }))
    if (index === 21) break;
  expect(checkpoint).toMatchObject({
    created: 18,
    failed: 2,
    problems: [
      { index: 1, status: "failed", error: "dev_eui: has already been taken" },
      { index: 12, status: "failed" },
    ],
  });
  let last: BulkCheckpoint | undefined;
  const keepLast = (next: BulkCheckpoint): void => void (last = next);
  const run = create(devices, { checkpoint, concurrency: 1, onCheckpoint: keepLast });
  const seen: CreateResult[] = [];
  for await (const result of run) if (result.status === "failed") seen.push(result);
  const { results, failed, resumed } = await run;
  expect([failed, resumed]).toEqual([results.failed.length, 20]);
  expect(results.failed.map(({ index, reason }) => [index, reason])).toEqual([
    [1, "rejected"],
    [12, "rejected"],
    [35, "rejected"],
    [40, "duplicate"],
    [41, "invalid"],
  ]);
  expect(results.failed[0]).toEqual({
    status: "failed",
    reason: "rejected",
    index: 1,
    dev_eui: device(1).dev_eui,
    error: "dev_eui: has already been taken",
  });
  expect(seen).toEqual(results.failed);

  // With a finished checkpoint, the run finds the invalid devices in the input again.
  expect((await create(devices, { checkpoint: last })).results.failed).toHaveLength(5);
});

test("a checkpoint contains the problems of up to 1,000 devices, cut to 200 characters and without a key", async () => {
  const { create, client, sandbox } = start(undefined, "rejected");
  const devices = fleet(1_500);
  await create(devices, { chunkSize: 500 });
  let checkpoint: BulkCheckpoint | undefined;
  const onCheckpoint = (next: BulkCheckpoint): void => void (checkpoint = next);
  const first = await create(devices, { chunkSize: 500, onCheckpoint });
  expect(first.results.failed).toHaveLength(1_500);
  expect(checkpoint?.problems).toHaveLength(1_000);
  const { failed, results } = await client.devices.createMany(devices, { checkpoint });
  expect([failed, results.failed.length]).toEqual([1_500, 1_000]);

  const { dev_eui, app_eui } = device(7);
  const refuse = async (error: string): Promise<string | undefined> => {
    const body = { success: [], failure: [{ dev_eui, app_eui, app_key: KEY, error }] };
    sandbox.setFaults([{ on: "devices.createBatch", kind: "status", status: 200, body }]);
    await create([device(7)], { onCheckpoint });
    expect(checkpoint?.problems).toMatchObject([{ index: 0 }]);
    return checkpoint?.problems[0]?.error;
  };
  expect(await refuse(`app_key: is taken ${"x ".repeat(150)}`)).toHaveLength(200);
  const written = [KEY, KEY.toLowerCase(), KEY.slice(3, 11), sandbox.console.apiKey];
  for (const key of written.flatMap((each) => [each, btoa(each), encodeURIComponent(each)])) {
    expect(await refuse(`app_key: ${key} is taken`)).toContain("not shown");
    expect(JSON.stringify(checkpoint)).not.toContain(key);
  }
  expect(await create([device(7)], { checkpoint })).toMatchObject({ failed: 1, created: 0 });
});

test("progress has the total of an array or a Set, but not of a generator", async () => {
  const { create } = start();
  const totals: (number | undefined)[] = [];
  const onProgress = ({ total }: BulkProgress): void => void totals.push(total);
  await create(fleet(3), { onProgress });
  await create(new Set(fleet(4)), { onProgress });
  await create(fleet(5).values(), { onProgress });
  expect(totals).toEqual([3, 4, undefined]);
});

test("a loop receives a chunk in the order of the input, and before the checkpoint contains it", async () => {
  const { create } = start();
  const devices = fleet(40).map((each, index) => (index % 3 === 0 ? { ...each, name: "" } : each));
  const chunks = new Map<number, number[]>();
  let received = 0;
  const run = create(devices, {
    onCheckpoint: ({ created, failed }) =>
      expect(received).toBeGreaterThanOrEqual(created + failed),
  });
  for await (const { index } of run) {
    received++;
    const chunk = Math.floor(index / 10);
    chunks.set(chunk, [...(chunks.get(chunk) ?? []), index]);
  }
  for (const indexes of chunks.values()) expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
  expect(received).toBe(40);
});

test("progress reports immediately why and until when a run waits", async () => {
  const { create } = start([{ on: "devices.createBatch", kind: "reset", times: 2 }]);
  const seen: BulkProgress[] = [];
  await create(fleet(20), { settleTime: 50, onProgress: (each) => seen.push(each) });
  const waits = seen.flatMap(({ waiting }) => waiting ?? []);
  // Two requests broke, and both wait together twice.
  expect(waits).toHaveLength(2);
  expect(waits[0]?.why).toMatch(
    /devices\.createBatch .*The device list is read after `settleTime`/,
  );
  expect(waits[0]!.until!.getTime() - waits[0]!.since.getTime()).toBeLessThanOrEqual(50);
  expect(seen.at(-1)).toMatchObject({ created: 20, waiting: undefined });
});

test("a wrong address is reported after the first request, and not after half a minute", async () => {
  const error = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const client = createConsoleClient({
    baseUrl: "https://wrong.sandbox.invalid",
    apiKey: "a-key-that-nobody-checks",
    fetch: () => Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: error })),
    retry: { baseDelay: 1 },
  });
  const controller = new AbortController();
  const begin = performance.now();
  let told: BulkProgress | undefined;
  const onProgress = (progress: BulkProgress): void => {
    told = progress;
    controller.abort();
  };
  await failureOf(client.devices.createMany(fleet(5), { onProgress, signal: controller.signal }));
  expect(told?.waiting?.why).toContain("ECONNREFUSED");
  expect(told?.waiting?.until).toBeInstanceOf(Date);
  expect(performance.now() - begin).toBeLessThan(5_000);
});

test("a missing response is reported after 5 seconds, and again later", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date", "performance"] });
  try {
    const { create } = start([{ on: "devices.createBatch", kind: "delay", ms: 60 }]);
    const seen: BulkProgress[] = [];
    const run = create(fleet(5), { onProgress: (each) => seen.push(each) }).report();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    vi.advanceTimersByTime(10_000);
    expect(seen.map(({ waiting }) => waiting?.why)).toEqual([
      "devices.createBatch has not responded yet",
      "devices.createBatch has not responded yet",
    ]);
    expect(seen[0]?.waiting?.until).toBeUndefined();
    await run;
    expect([seen.at(-1)?.waiting, vi.getTimerCount()]).toEqual([undefined, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test.for<[string, Partial<NewDevice>]>([
  ["another key", { app_key: KEY.replace("00", "01") }],
  ["another name", { name: "Renamed" }],
  ["another label", { label_ids: ["6f3cf1f6-8d3c-4c57-9a2e-0d1b2c3d4e5f"] }],
  ["another profile", { config_profile_id: "6f3cf1f6-8d3c-4c57-9a2e-0d1b2c3d4e5f" }],
])(
  "every checkpoint rejects the same EUIs with %s before a request is sent",
  async ([, change]) => {
    const { create, sandbox, batches } = start();
    const stored: BulkCheckpoint[] = [];
    await create(fleet(40), { onCheckpoint: (next) => void stored.push(next), concurrency: 1 });
    const sent = batches();
    for (const checkpoint of stored) {
      const corrected = fleet(40).map((each) => ({ ...each, ...change }));
      const error = await failureOf(create(corrected, { checkpoint }));
      expect(error.message).toMatch(/it belongs to other devices.*such as a corrected key/);
    }
    expect([stored.length, batches(), held(sandbox).length]).toEqual([8, sent, 40]);
    // Another letter case is the same device, because the client sends upper case.
    const lower = fleet(40).map((each) => ({ ...each, dev_eui: each.dev_eui.toLowerCase() }));
    expect(await create(lower, { checkpoint: stored[4] })).toMatchObject({ created: 40 });
  },
);

test("a checkpoint contains no part of a key, and no hash of only a key", async () => {
  const { create } = start();
  const stored: BulkCheckpoint[] = [];
  await create([device(1)], { chunkSize: 1, onCheckpoint: (next) => void stored.push(next) });
  const written = JSON.stringify(stored).toUpperCase();
  for (let at = 0; at + 8 <= KEY.length; at++) expect(written).not.toContain(KEY.slice(at, at + 8));
  // Two devices with the same key, and one device with two keys, have different hashes.
  const digestOf = async (each: NewDevice): Promise<string | undefined> => {
    let last: BulkCheckpoint | undefined;
    await start().create([each], { chunkSize: 1, onCheckpoint: (next) => void (last = next) });
    return last?.done[0];
  };
  const others = [device(1), device(2), device(1, { app_key: KEY.replace("00", "01") })];
  const digests = await Promise.all(others.map(digestOf));
  expect(new Set(digests).size).toBe(3);
  expect(digests[0]).toBe(stored.at(-1)?.done[0]);
});
