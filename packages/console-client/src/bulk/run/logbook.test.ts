import { emptyChunk } from "./chunks.ts";
import { CheckpointError } from "@fieldmesh/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallersError } from "./bulk-error.ts";
import { MAX_ERROR, MAX_PROBLEMS, type BulkCheckpoint } from "./checkpoint.ts";
import { createLogbook, type LogbookInit } from "./logbook.ts";
import type { AnyResult, Chunk, PendingItem } from "./run-parts.ts";

const clock = { now: () => 0, sleep: () => Promise.resolve() };
const target = { server: "s1", organization: "o1" };
const checkpoint = {
  version: 1,
  call: "devices.createMany",
  server: "s0",
  organization: "o0",
  chunkSize: 2,
  done: ["d0", "", "d2"],
  open: [{ chunk: 1, digest: "d1", size: 2, kind: "at_work", until: 5, writer: "w1" }],
  unsettled: 2,
  created: 1,
  failed: 2,
  unknown: 1,
  skipped: 0,
  changed: 0,
  problems: [
    { index: 1, status: "failed", error: "is taken" },
    { index: 4, status: "unknown", error: "it broke" },
  ],
  checksum: "",
} as const satisfies BulkCheckpoint;
const init: LogbookInit = {
  method: "devices.createMany",
  statuses: ["created", "failed", "unknown", "skipped"],
  chunkSize: 2,
  timeout: 500,
  checkpoint: undefined,
  total: 6,
  clock,
  target: () => target,
};
const resumedInit = { ...init, checkpoint: checkpoint as unknown as BulkCheckpoint };

const itemOf = (index: number): PendingItem => ({
  index,
  key: "",
  content: "",
  identity: { index, dev_eui: `eui ${index}` },
});
const chunkOf = (number: number, changed: Partial<Chunk> = {}): Chunk => ({
  ...emptyChunk(number),
  size: 2,
  digest: `d${number}`,
  ...changed,
});
const resultOf = (index: number, status: AnyResult["status"], more: object = {}): AnyResult => ({
  index,
  status,
  ...more,
});
const OTHER_DEVICES = new CheckpointError(
  "other_input",
  "devices.createMany rejected the checkpoint: it belongs to other devices, or to the same ones in another order or with other fields, such as a corrected key. Pass the list of that run, or start without it.",
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a new run compares no chunk, has resumed nothing and has begun nothing", () => {
  const logbook = createLogbook(init, {});
  expect(logbook).toMatchObject({ isChecked: true, resumed: 0, hasBegun: false, results: [] });
  expect(logbook.progress).toEqual({
    created: 0,
    failed: 0,
    unknown: 0,
    skipped: 0,
    unsettled: 0,
    settled: 0,
    total: 6,
    waiting: undefined,
  });
  expect(logbook.look(chunkOf(0))).toBeUndefined();
  expect(logbook.deliverEarlier(chunkOf(0))).toBe(false);
  expect(() => logbook.checkEnd()).not.toThrow();
});

test("a resumed run continues the numbers of its checkpoint", () => {
  const logbook = createLogbook(resumedInit, {});
  expect(logbook).toMatchObject({ isChecked: false, resumed: 4, hasBegun: true });
  const numbers = { created: 1, failed: 2, unknown: 1, settled: 4, unsettled: 2 };
  expect(logbook.progress).toMatchObject(numbers);
  const changes = { ...checkpoint, created: 0, changed: 3 } as unknown as BulkCheckpoint;
  const statuses = ["done", "failed", "unknown"] as const;
  const ofChanges = createLogbook({ ...init, statuses, checkpoint: changes }, {});
  expect(ofChanges.progress).toMatchObject({ done: 3, failed: 2, unknown: 1, settled: 6 });
});

test.each([
  [["d0"], [4], 5],
  [["d0", "d1", "d2"], [0], 3],
  [[], [1, 3, 2], 4],
])("a checkpoint with the chunks %j done and %j open covers %i", (done, chunks, covered) => {
  const open = chunks.map((chunk) => ({ ...checkpoint.open[0], chunk }));
  const logbook = createLogbook(
    { ...init, checkpoint: { ...resumedInit.checkpoint, done, open } },
    {},
  );
  for (let number = 0; number < covered; number++) {
    expect(logbook.isChecked).toBe(false);
    expect(() => logbook.checkEnd()).toThrow(OTHER_DEVICES);
    logbook.look(chunkOf(number, chunks.includes(number) ? { digest: "d1" } : {}));
  }
  expect(logbook.isChecked).toBe(true);
  expect(() => logbook.checkEnd()).not.toThrow();
});

test("a chunk of a checkpoint is done, open or new, and must have the same digest", () => {
  const logbook = createLogbook(resumedInit, {});
  expect([0, 1, 2, 3].map((number) => logbook.look(chunkOf(number)))).toEqual([
    "done",
    checkpoint.open[0],
    "done",
    undefined,
  ]);
  for (const number of [0, 1, 2])
    expect(() => logbook.look(chunkOf(number, { digest: "other" }))).toThrow(OTHER_DEVICES);
});

test("the problems of an earlier run are results again, in the order of the input", () => {
  const logbook = createLogbook(resumedInit, {});
  const invalid = resultOf(2, "failed", { reason: "invalid" });
  const pending = [itemOf(4), itemOf(3), itemOf(1)];
  expect(logbook.deliverEarlier(chunkOf(0, { results: [invalid], pending }))).toBe(true);
  expect(logbook.results).toEqual([
    { index: 1, dev_eui: "eui 1", status: "failed", reason: "rejected", error: "is taken" },
    invalid,
    { index: 4, dev_eui: "eui 4", status: "unknown", error: "it broke" },
  ]);
  expect(logbook.earlierSuccesses(chunkOf(0, { pending }))).toEqual([itemOf(3)]);
});

test("nothing is known of the successes of a checkpoint that is full of problems", () => {
  for (const [count, known] of [
    [MAX_PROBLEMS - 1, 1],
    [MAX_PROBLEMS, 0],
  ] as const) {
    const problems = Array.from({ length: count }, (_, index) => ({
      ...checkpoint.problems[0],
      index,
    }));
    const full = { ...resumedInit.checkpoint, problems };
    const logbook = createLogbook({ ...init, checkpoint: full }, {});
    expect(logbook.earlierSuccesses(chunkOf(0, { pending: [itemOf(5_000)] }))).toHaveLength(known);
  }
});

test("a delivered chunk is counted by status, and only what was sent is kept as a problem", () => {
  const logbook = createLogbook(init, {});
  const error = "e".repeat(MAX_ERROR + 1);
  const results = [
    resultOf(1, "failed", { reason: "rejected", error }),
    resultOf(0, "created", { error }),
    resultOf(2, "failed", { reason: "invalid", error }),
    resultOf(3, "failed", { reason: "duplicate", error }),
    resultOf(4, "unknown"),
    resultOf(5, "skipped", { reason: "rejected" }),
  ];
  const chunk = chunkOf(1, { size: 6, isAtWork: true, pending: [itemOf(0)] });
  logbook.begin(chunk);
  expect(logbook.progress).toMatchObject({ settled: 0, unsettled: 6 });
  logbook.deliver({ ...chunk, results });
  logbook.begin({ ...chunk, isAtWork: false });
  const numbers = { created: 1, failed: 3, unknown: 1, skipped: 1 };
  expect(logbook.progress).toMatchObject({ ...numbers, settled: 6 });
  expect(logbook.results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(logbook.checkpoint).toMatchObject({
    ...target,
    version: 1,
    call: "devices.createMany",
    chunkSize: 2,
    done: ["", "d1"],
    ...numbers,
    changed: 0,
    problems: [
      { index: 1, status: "failed", error: "e".repeat(MAX_ERROR) },
      { index: 4, status: "unknown", error: "" },
    ],
  });
  expect(logbook.checkpoint).not.toHaveProperty("settled");
});

test("the changes of a run that creates nothing are in its checkpoint as changed", () => {
  const logbook = createLogbook({ ...init, statuses: ["done", "failed", "unknown"] }, {});
  logbook.deliver(chunkOf(0, { results: [resultOf(0, "done")] }));
  expect(logbook.checkpoint).toMatchObject({ changed: 1, created: 0 });
  expect(logbook.checkpoint).not.toHaveProperty("done", 1);
});

test("at most a thousand problems are kept", () => {
  const logbook = createLogbook(init, {});
  const results = Array.from({ length: MAX_PROBLEMS + 1 }, (_, index) =>
    resultOf(index, "unknown"),
  );
  logbook.deliver(chunkOf(0, { results }));
  expect(logbook.checkpoint?.problems).toHaveLength(MAX_PROBLEMS);
});

test("a run has begun once something may have been carried out, and not with a chunk that it only has", () => {
  const logbook = createLogbook(init, {});
  const chunk = chunkOf(0, { pending: [itemOf(0), itemOf(1)] });
  logbook.begin(chunk);
  expect([logbook.hasBegun, logbook.checkpoint?.open]).toEqual([false, []]);
  chunk.pending[0]!.doubt = "broken";
  expect(logbook.hasBegun).toBe(true);
  expect(logbook.checkpoint).toMatchObject({
    unsettled: 2,
    open: [{ chunk: 0, digest: "d0", size: 2, kind: "broken", items: [0] }],
  });
});

test("what is settled when a run ends is delivered, and nothing after its error was created", () => {
  const logbook = createLogbook(init, {});
  const [first, second] = [0, 1].map((number) =>
    chunkOf(number, { results: [resultOf(number, "created")] }),
  );
  logbook.begin(first!);
  logbook.begin(chunkOf(2, { pending: [itemOf(5)] }));
  logbook.deliverSettled();
  expect(logbook.results).toHaveLength(1);
  logbook.end();
  logbook.deliver(second!);
  expect([logbook.results.length, logbook.progress["created"]]).toEqual([1, 1]);
});

test("there is no checkpoint until the server and the organization are known", () => {
  const without = (found: object | undefined) =>
    createLogbook({ ...init, target: () => found as never }, {}).checkpoint;
  expect(without(undefined)).toBeUndefined();
  expect(without({ server: "s1" })).toBeUndefined();
  expect(without({ organization: "o1" })).toBeUndefined();
  const resumed = createLogbook({ ...resumedInit, target: () => undefined }, {});
  expect(resumed.checkpoint).toMatchObject({ server: "s0", organization: "o0" });
});

test("a checkpoint settles what was delivered only once the loop has received it", async () => {
  const stored: unknown[] = [];
  const logbook = createLogbook(init, {
    onCheckpoint: ({ open, created }) => void stored.push([open.length, created]),
  });
  const chunk = chunkOf(0, { isAtWork: true, pending: [itemOf(0), itemOf(1)] });
  logbook.begin(chunk);
  expect(await logbook.save()).toBe(2_000);
  logbook.deliver({ ...chunk, results: [resultOf(0, "created")] });
  const saving = [logbook.save(), logbook.save()];
  await vi.advanceTimersByTimeAsync(10);
  expect(stored).toEqual([[1, 0]]);
  logbook.received();
  await Promise.all(saving);
  // Both share one.
  expect(stored).toEqual([
    [1, 0],
    [1, 1],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("the last checkpoint is stored if it has changed, and not waited for longer than a second", async () => {
  const onCheckpoint = vi.fn<(checkpoint: BulkCheckpoint) => Promise<void> | undefined>();
  const late = () => new Promise<void>((resolve) => setTimeout(resolve, 1_000));
  const logbook = createLogbook({ ...init, clock: { ...clock, sleep: late } }, { onCheckpoint });
  await logbook.saveLast();
  expect(onCheckpoint).not.toHaveBeenCalled();
  await logbook.save();
  await logbook.saveLast();
  expect(onCheckpoint).toHaveBeenCalledTimes(1);
  onCheckpoint.mockReturnValue(new Promise(() => undefined));
  logbook.deliver(chunkOf(0, { results: [resultOf(0, "created")] }));
  const saving = logbook.saveLast();
  await vi.advanceTimersByTimeAsync(1_000);
  await saving;
  expect(onCheckpoint.mock.lastCall?.[0]).toMatchObject({ created: 1 });
});

test("a store that needs long gets times that are still right when it has finished", async () => {
  let now = 0;
  const logbook = createLogbook(
    { ...init, clock: { ...clock, now: () => now } },
    { onCheckpoint: () => void (now += 20_000) },
  );
  expect(await logbook.save()).toBe(2_000);
  expect(await logbook.save()).toBe(20_000 + 41_000);
});

test("without a target, onCheckpoint is not called", async () => {
  const onCheckpoint = vi.fn();
  const logbook = createLogbook({ ...init, target: () => undefined }, { onCheckpoint });
  await logbook.save();
  expect(onCheckpoint).not.toHaveBeenCalled();
});

test("an error of onCheckpoint names it, and leaves no timer behind", async () => {
  const thrown = new Error("no disk");
  const logbook = createLogbook(init, { onCheckpoint: () => Promise.reject(thrown) });
  const error = await logbook.save().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(CallersError);
  expect(error).toMatchObject({ thrower: "onCheckpoint", thrown });
  expect(vi.getTimerCount()).toBe(0);
});

test("a checkpoint that is not stored is the reason of a wait, and is reported once after 30 s", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  let now = 0;
  const logbook = createLogbook(
    { ...init, clock: { ...clock, now: () => now } },
    { onCheckpoint: () => promise },
  );
  const storing = logbook.save();
  await vi.advanceTimersByTimeAsync(0);
  now = 30_000;
  vi.advanceTimersByTime(29_999);
  expect(warn).not.toHaveBeenCalled();
  expect(logbook.progress).toMatchObject({
    waiting: { why: "onCheckpoint has not stored the checkpoint yet" },
  });
  vi.advanceTimersByTime(60_000);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    "devices.createMany: onCheckpoint has not stored a checkpoint for 30 seconds. The run sends nothing more until it has, or until its signal aborts.",
  );
  resolve();
  await storing;
});

test("an error of onProgress names the method and the option, and is ignored", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const onProgress = (): never => {
    throw new Error("no terminal");
  };
  createLogbook(init, { onProgress }).reportProgress();
  expect(warn.mock.calls[0]?.[0]).toBe(
    "devices.createMany: onProgress threw an error, which is ignored. Its further errors are not shown.",
  );
});
