import {
  BulkError,
  createConsoleClient,
  isApiError,
  type BulkCheckpoint,
  type BulkProgress,
  type CreateResult,
  type NewDevice,
} from "../src/index.ts";
import { withChecksum, monotonicClock } from "@fieldmesh/core/internal";
import { expect, test, vi, afterEach } from "vitest";
import {
  connect,
  device,
  failureOf,
  fleet,
  held,
  KEY,
  QUICK,
  start,
} from "../../../tools/testing/bulk-runs.ts";
import { canaries, everythingPrinted, findCanary } from "../../../tools/canaries/canaries.ts";

test("puts every input in exactly one list, in the order of the input", async () => {
  const { create, sandbox } = start();
  const devices = [
    device(0),
    device(1, { dev_eui: "xyz" }),
    device(2),
    device(0),
    device(3, { name: "" }),
  ];
  const { results, ...numbers } = await create(devices).report();
  expect(numbers).toEqual({
    created: 2,
    failed: 3,
    unknown: 0,
    skipped: 0,
    unsettled: 0,
    settled: 5,
    total: 5,
    waiting: undefined,
    resumed: 0,
  });
  expect(results.created.map(({ index }) => index)).toEqual([0, 2]);
  expect(results.failed).toEqual([
    {
      status: "failed",
      reason: "invalid",
      index: 1,
      dev_eui: undefined,
      error: "dev_eui: must be 16 hexadecimal digits",
    },
    {
      status: "failed",
      reason: "duplicate",
      index: 3,
      dev_eui: "A000000000000000",
      error: "dev_eui: the same device precedes it in the input, at index 0",
    },
    {
      status: "failed",
      reason: "invalid",
      index: 4,
      dev_eui: "A000000000000003",
      error: "name: must not be empty",
    },
  ]);
  expect(held(sandbox)).toHaveLength(2);
});

test("matches the two lists of the console by EUI, although they have another order", async () => {
  const { create, sandbox } = start(undefined, "rejected");
  await create([device(3), device(7)]).report();
  const { results } = await create(fleet(10)).report();
  expect(results.failed.map(({ index, reason }) => [index, reason])).toEqual([
    [3, "rejected"],
    [7, "rejected"],
  ]);
  for (const { index, id } of results.created) {
    expect(sandbox.console.state.devices.get(id)?.dev_eui).toBe(device(index).dev_eui);
  }
});

test("accepts any iterable, and reads it no faster than it sends devices", async () => {
  const { create } = start();
  let read = 0;
  async function* endless(): AsyncGenerator<NewDevice> {
    for (;;) yield device(read++);
  }
  const seen: CreateResult[] = [];
  for await (const result of create(endless(), { concurrency: 2 })) {
    seen.push(result);
    if (seen.length === 25) break;
  }
  expect(seen).toHaveLength(25);
  expect(read).toBeLessThanOrEqual(70);
  expect((await create([]).report()).settled).toBe(0);
  expect((await create(new Set(fleet(3))).report()).created).toBe(3);
});

test("sends devices again after a reset before the work, and reads only two lists for several chunks", async () => {
  const { create, sandbox, batches } = start([
    { on: "devices.createBatch", kind: "reset", times: 3 },
  ]);
  expect(await create(fleet(50)).report()).toMatchObject({ created: 50 });
  expect(batches()).toBe(5 + 3);
  expect(sandbox.log.requests("devices.list")).toHaveLength(2);
  expect(held(sandbox)).toHaveLength(50);
});

test.for(["lost", "truncate", "garbage"] as const)(
  "reads the device list after a response with the fault %s, before it sends devices again",
  async (kind) => {
    const { create, sandbox, batches } = start([{ on: "devices.createBatch", kind }]);
    expect(await create(fleet(10)).report()).toMatchObject({ created: 10, failed: 0, unknown: 0 });
    expect([batches(), held(sandbox).length]).toEqual([1, 10]);
  },
);

test("does not send devices again after a timeout, and reports them as unknown", async () => {
  const { create, sandbox, batches } = start([
    { on: "devices.createBatch", kind: "delay", ms: 1_500 },
  ]);
  const report = await create(fleet(20), { timeout: 60 }).report();
  expect(report).toMatchObject({ created: 10, failed: 0, unknown: 10 });
  expect(report.results.unknown[0]?.error).toContain("timed out");
  expect(batches()).toBe(2);
  await expect.poll(() => held(sandbox).length, { timeout: 10_000 }).toBe(20);
});

test("reports a device as created if the list shows it after a timeout", async () => {
  const { create, batches } = start([
    { on: "devices.createBatch", kind: "delay", ms: 150, afterWork: true },
  ]);
  expect(await create(fleet(10), { timeout: 60 }).report()).toMatchObject({
    created: 10,
    unknown: 0,
  });
  expect(batches()).toBe(1);
});

test("a console that asks for a wait of more than an hour ends the run, and its checkpoint resumes it", async () => {
  const { create, sandbox } = start([
    { on: "devices.createBatch", kind: "status", status: 429, retryAfter: 7_200, skip: 1 },
  ]);
  let checkpoint: BulkCheckpoint | undefined;
  const onCheckpoint = (next: BulkCheckpoint): void => void (checkpoint = next);
  const error = await failureOf(create(fleet(30), { concurrency: 1, onCheckpoint }).report());
  expect(isApiError(error.cause, 429) && error.cause.retryAt).toBeInstanceOf(Date);
  // The import continues later in another process.
  const later = connect(sandbox).devices.createMany(fleet(30), { ...QUICK, checkpoint });
  expect(await later.report()).toMatchObject({ created: 30 });
  expect(held(sandbox)).toHaveLength(30);
});

test("copies each device when it is read, because a source may reuse one object", async () => {
  const { create, sandbox } = start();
  function* reused(): Generator<NewDevice> {
    const row = device(0);
    for (const each of fleet(25)) yield Object.assign(row, each);
  }
  expect(await create(reused()).report()).toMatchObject({ created: 25, failed: 0, unknown: 0 });
  expect(held(sandbox).sort()).toEqual(fleet(25).map(({ dev_eui }) => dev_eui));
});

test("reports its progress after every chunk", async () => {
  const { create } = start();
  const seen: BulkProgress[] = [];
  await create([...fleet(25), device(0)], {
    concurrency: 1,
    onProgress: (each) => seen.push(each),
  }).report();
  expect(seen.map(({ settled }) => settled)).toEqual([10, 20, 26]);
  expect(seen.at(-1)).toEqual({
    created: 25,
    failed: 1,
    unknown: 0,
    skipped: 0,
    unsettled: 0,
    settled: 26,
    total: 26,
    waiting: undefined,
  });
});

test("breaking out of the iteration ends the requests in progress", async () => {
  const { create, batches } = start();
  for await (const { index } of create(fleet(100), { concurrency: 2 })) if (index >= 0) break;
  const sent = batches();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(batches()).toBe(sent);
  expect(sent).toBeLessThan(6);
});

test("a source that throws ends the run with its error, after the results of the sent devices", async () => {
  const { create, sandbox } = start();
  function* broken(): Generator<NewDevice> {
    yield* fleet(15);
    throw new Error("the file ends in the middle");
  }
  const seen: CreateResult[] = [];
  const all = async (): Promise<void> => {
    for await (const result of create(broken())) seen.push(result);
  };
  expect((await failureOf(all())).cause).toEqual(new Error("the file ends in the middle"));
  expect([seen.length, held(sandbox).length]).toEqual([10, 10]);
});

test("a checkpoint is small, contains no key and no device, and is written before each request", async () => {
  const { create, batches } = start();
  const seen: { text: string; batches: number }[] = [];
  await create(fleet(100), {
    concurrency: 1,
    onCheckpoint: (checkpoint) =>
      void seen.push({ text: JSON.stringify(checkpoint), batches: batches() }),
  }).report();
  expect(Math.max(...seen.map(({ text }) => text.length))).toBeLessThan(380 + 10 * 17);
  expect(seen.map(({ text }) => text).join()).not.toMatch(/00112233|0000000000|Device/);
  const opened = seen.filter(({ text }) => text.includes('"open":[{'));
  expect(opened.map((each) => each.batches)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a run with a finished checkpoint sends no request, and returns the totals", async () => {
  const { create, batches } = start();
  let checkpoint: BulkCheckpoint | undefined;
  await create(fleet(25), { onCheckpoint: (next) => void (checkpoint = next) }).report();
  const sent = batches();
  const seen: BulkProgress[] = [];
  const report = await create(fleet(25), {
    checkpoint,
    onProgress: (each) => seen.push(each),
  }).report();
  expect(report).toMatchObject({ created: 25, settled: 25, resumed: 25, results: { created: [] } });
  expect(seen).toMatchObject([{ created: 25, failed: 0, unknown: 0, settled: 25, total: 25 }]);
  expect(batches()).toBe(sent);
});

test("rejects a checkpoint of other devices, of more devices, of another order or another chunk size", async () => {
  const { create, batches } = start();
  let checkpoint: BulkCheckpoint | undefined;
  await create(fleet(30), { onCheckpoint: (next) => void (checkpoint = next) }).report();
  const sent = batches();
  const others = Array.from({ length: 15 }, (_, index) => device(500 + index));
  const changed = [fleet(31).slice(1), fleet(30).toReversed()];
  for (const devices of [...changed, [], fleet(29), fleet(20), others]) {
    expect((await failureOf(create(devices, { checkpoint }).report())).message).toContain(
      "it belongs to other devices",
    );
  }
  const other = create(fleet(30), { checkpoint, chunkSize: 11 });
  expect((await failureOf(other.report())).message).toContain("it was made with chunkSize 10");
  expect(batches()).toBe(sent);
});

test("a checkpoint also rejects other devices in a chunk that was settled out of order, or is in progress", async () => {
  const { create, batches } = start();
  const seen: BulkCheckpoint[] = [];
  await create(fleet(30), { onCheckpoint: (next) => void seen.push(next) }).report();
  const sent = batches();
  const [first] = seen;
  expect(first).toMatchObject({ done: [], open: [{ chunk: 0 }] });
  const last = seen.at(-1)!;
  const { checksum: _, ...fields } = last;
  const outOfTurn = withChecksum({ ...fields, done: ["", "", last.done[2]!], created: 10 });
  for (const [checkpoint, devices] of [
    [first, fleet(31).slice(1)],
    [first, fleet(10).toReversed()],
    [outOfTurn, [...fleet(20), ...fleet(31).slice(21)]],
    [outOfTurn, fleet(20)],
  ] as const) {
    const error = await failureOf(create(devices, { checkpoint }).report());
    expect(error.message).toContain("it belongs to other devices");
  }
  expect(batches()).toBe(sent);
});

test("a checkpoint belongs to its server and organization", async () => {
  const here = start();
  let checkpoint: BulkCheckpoint | undefined;
  await here.create(fleet(10), { onCheckpoint: (next) => void (checkpoint = next) }).report();
  const elsewhere = createConsoleClient({
    baseUrl: "https://other.sandbox.invalid/console",
    fetch: here.sandbox.console.fetch,
    apiKey: here.sandbox.apiKey,
  });
  const other = elsewhere.devices.createMany(fleet(10), { ...QUICK, checkpoint });
  expect((await failureOf(other.report())).message).toContain("belongs to another server");
  here.sandbox.setFaults([
    {
      on: "organization.list",
      kind: "status",
      status: 200,
      body: [{ dc_balance: 1, id: "7b1f5c1e-3d0a-4c57-9f0e-1a2b3c4d5e6f", name: "Another" }],
    },
  ]);
  const sent = here.batches();
  expect((await failureOf(here.create(fleet(10), { checkpoint }).report())).message).toContain(
    "belongs to another organization",
  );
  expect(here.batches()).toBe(sent);
});

test("await starts the run, and a second await or report() returns the same run", async () => {
  const { create, batches, sandbox } = start();
  const run = create(fleet(25));
  expect(batches()).toBe(0);
  const report = await run;
  expect(report).toMatchObject({ created: 25, failed: 0, unknown: 0 });
  expect(await run).toBe(report);
  expect(await run.report()).toBe(report);
  expect(await Promise.all([run, run])).toEqual([report, report]);
  expect([batches(), held(sandbox).length]).toEqual([3, 25]);
});

test("a run has catch and finally, like a promise", async () => {
  const { create } = start();
  let ended = 0;
  const report = await create(fleet(12)).finally(() => ended++);
  expect([report.created, ended]).toEqual([12, 1]);
  const run = create(fleet(3), { signal: AbortSignal.abort("too late") });
  expect(await run.catch((error: unknown) => error instanceof BulkError)).toBe(true);
  await expect(run.finally(() => ended++)).rejects.toThrow("was ended by its signal");
  expect(ended).toBe(2);
});

test("iterating and awaiting a run starts it once, in any order and at the same time", async () => {
  const { create, batches } = start();
  const devices = [...fleet(25), device(3)];
  const read = async (run: AsyncIterable<CreateResult>): Promise<number[]> => {
    const indexes: number[] = [];
    for await (const { index } of run) indexes.push(index);
    return indexes.sort((a, b) => a - b);
  };
  const all = devices.map((_, index) => index);
  const iteratedFirst = create(devices);
  expect(await read(iteratedFirst)).toEqual(all);
  const report = await iteratedFirst;
  expect([report.settled, report.results.created.length, report.results.failed.length]).toEqual([
    26, 25, 1,
  ]);
  expect(batches()).toBe(3);

  const awaitedFirst = start();
  const second = awaitedFirst.create(devices);
  await second;
  expect(await read(second)).toEqual(all);
  expect(awaitedFirst.batches()).toBe(3);

  const together = start();
  const third = together.create(devices);
  const [a, b, { settled }] = await Promise.all([read(third), read(third), third]);
  expect([a, b, settled]).toEqual([all, all, 26]);
  expect(together.batches()).toBe(3);

  // An await within the loop of the run does not wait for the loop.
  const within = start().create(devices);
  let seen = 0;
  for await (const _ of within) if (seen++ === 0) expect((await within).settled).toBe(26);
  expect(seen).toBe(26);
});

test("awaiting a run after a break out of its loop rejects with its results and its checkpoint", async () => {
  const { create, sandbox } = start();
  const devices = fleet(100);
  const run = create(devices, { concurrency: 1 });
  for await (const { index } of run) if (index === 9) break;
  const error = await failureOf(run);
  expect(error instanceof BulkError && error.message).toContain("its loop was left");
  if (!(error instanceof BulkError)) return;
  expect(error.results.created).toHaveLength(10);
  expect(await create(devices, { checkpoint: error.checkpoint })).toMatchObject({ created: 100 });
  expect(held(sandbox)).toHaveLength(100);
});

test.for([
  [
    "throws",
    () => {
      throw new Error("no terminal");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no terminal"))],
] as const)(
  "an onProgress that %s does not end the run, and is reported once",
  async ([, onProgress]) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    try {
      const { create } = start();
      let checkpoint: BulkCheckpoint | undefined;
      const options = {
        onProgress,
        onCheckpoint: (next: BulkCheckpoint) => void (checkpoint = next),
      };
      expect(await create(fleet(30), options)).toMatchObject({ created: 30 });
      expect(checkpoint).toMatchObject({ created: 30, open: [] });
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(warn.mock.calls).toEqual([
        [
          expect.stringContaining("onProgress threw an error, which is ignored"),
          new Error("no terminal"),
        ],
      ]);
    } finally {
      warn.mockRestore();
    }
  },
);

test("the error of a run contains its progress, checkpoint and results, even without onCheckpoint", async () => {
  const { create, sandbox } = start([
    { on: "devices.createBatch", kind: "status", status: 401, skip: 2 },
  ]);
  const devices = [...fleet(39), device(0)];
  const error = await failureOf(create(devices, { concurrency: 1 }));
  if (!(error instanceof BulkError)) throw error;
  expect(error.message).toContain("devices.createMany ended early: devices.createBatch (POST");
  expect(error.message).toContain("Until then: 20 created, 0 failed, 0 unknown.");
  expect(error.progress).toMatchObject({ created: 20, settled: 20 });
  expect(error.results.created.map(({ index }) => index)).toEqual([...fleet(20).keys()]);
  expect(isApiError(error.cause, 401)).toBe(true);
  // The message says how to resume.
  const { checkpoint } = error;
  const resumed = await create(devices, { checkpoint });
  expect(resumed).toMatchObject({ created: 39, failed: 1, resumed: 20 });
  expect(held(sandbox)).toHaveLength(39);
});

test("if the input or onCheckpoint throws, the error contains the progress of the run", async () => {
  const { create, sandbox } = start();
  let saves = 0;
  const full = new Error(`disk full while writing ${KEY}`);
  const onCheckpoint = (): void => {
    if (++saves === 4) throw full;
  };
  const error = await failureOf(create(fleet(40), { concurrency: 1, onCheckpoint }));
  if (!(error instanceof BulkError)) throw error;
  expect(error.cause).toBe(full);
  expect(error.message).toContain("onCheckpoint threw an error");
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(KEY);
  expect(error.progress.settled).toBe(error.results.created.length);
  expect(await create(fleet(40), { checkpoint: error.checkpoint })).toMatchObject({ created: 40 });
  expect(held(sandbox)).toHaveLength(40);
});

test("a run works if the organization cannot be read, and its error says that it has no checkpoint", async () => {
  const forbidden = {
    on: "organization.list",
    kind: "status",
    status: 403,
    times: Infinity,
  } as const;
  expect(await start([forbidden]).create(fleet(30))).toMatchObject({ created: 30 });
  const unread = start([
    forbidden,
    { on: "devices.createBatch", kind: "status", status: 401, skip: 1 },
  ]);
  const error = await failureOf(unread.create(fleet(30), { concurrency: 1 }));
  if (!(error instanceof BulkError)) throw error;
  expect(error.checkpoint).toBeUndefined();
  expect(error.results.created).toHaveLength(10);
  expect(error.message).toContain("There is no checkpoint");
});

afterEach(() => void vi.restoreAllMocks());

const HOUR = 3_600_000;

test.each([-HOUR, HOUR, -87_600 * HOUR, 87_600 * HOUR])(
  "a clock that is set by %d ms during a run makes no wait longer or shorter",
  async (jump) => {
    const { create, sandbox } = start([
      { on: "devices.createBatch", kind: "lost" },
      { on: "devices.createBatch", kind: "delay", ms: 200 },
    ]);
    const { now } = Date;
    const began = monotonicClock.now();
    const run = create(fleet(10), { chunkSize: 5, concurrency: 2, settleTime: 600 }).report();
    // The first request has broken, and the run waits for the second one.
    setTimeout(() => vi.spyOn(Date, "now").mockImplementation(() => now() + jump), 100);
    expect(await run).toMatchObject({ created: 10 });
    const took = monotonicClock.now() - began;
    expect(took).toBeGreaterThan(590);
    expect(took).toBeLessThan(10_000);
    expect(held(sandbox)).toHaveLength(10);
  },
);

// A checkpoint is stored in a file or a database, so it must not contain the key of a device.

const app_key = canaries.appKey;
const devices = Array.from({ length: 35 }, (_, index) => device(index, { app_key }));

test.each(["app_key", "dev_eui", "base"])(
  "no checkpoint contains an app_key that the service repeats under %s",
  async (field) => {
    const { sandbox } = start();
    const kept: unknown[] = [];
    let asked = 0;
    const client = createConsoleClient({
      baseUrl: sandbox.console.baseUrl,
      apiKey: sandbox.apiKey,
      retry: false,
      fetch: async (url, init) => {
        const request = new Request(url, init);
        if (request.method !== "POST") return await sandbox.console.fetch(request);
        const said = `${app_key} (${btoa(app_key)}) has been used`;
        // The first one is rejected, and the second one ends the run.
        return asked++ === 0
          ? Response.json({ errors: { [field]: [said], [app_key]: ["is odd"] } }, { status: 422 })
          : Response.json({ message: said }, { status: 403 });
      },
    });
    const onCheckpoint = (checkpoint: BulkCheckpoint): void => void kept.push(checkpoint);
    const run = client.devices.createMany(devices, { ...QUICK, concurrency: 1, onCheckpoint });
    const error = await failureOf(run);
    expect(error).toBeInstanceOf(BulkError);
    kept.push((error as { checkpoint?: unknown }).checkpoint);
    expect(kept.at(-1)).toMatchObject({ version: expect.any(Number) });
    for (const each of kept) expect(findCanary(everythingPrinted(each))).toBeUndefined();
  },
);
