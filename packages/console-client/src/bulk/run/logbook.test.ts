import { emptyChunk } from "./chunks.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MAX_PROBLEMS, type BulkCheckpoint } from "./checkpoint.ts";
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

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
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
