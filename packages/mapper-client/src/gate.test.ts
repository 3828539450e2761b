import { expect, test, vi } from "vitest";
import { systemClock } from "@fieldmesh/core";
import { createGate } from "./gate.ts";

test("a slow task delays no other task while there is room, and tasks start in order of arrival", async () => {
  const gate = createGate({ concurrency: 2, perMinute: 100, clock: systemClock });
  const slow = Promise.withResolvers<void>();
  const started: number[] = [];
  const start = (number: number, end?: Promise<void>): Promise<void> =>
    gate.run(async () => {
      started.push(number);
      await end;
    });
  const first = start(1, slow.promise);
  await Promise.all([2, 3, 4, 5].map((number) => start(number)));
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(gate.size).toBe(1);
  slow.resolve();
  await first;
  expect(gate.size).toBe(0);
});

test("a task that fails makes room for the next one", async () => {
  const gate = createGate({ concurrency: 1, perMinute: 100, clock: systemClock });
  const failed = gate.run(() => Promise.reject(new Error("broken")));
  const next = gate.run(() => Promise.resolve("done"));
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("done");
});

test("a signal that aborts just after the start of its task takes no other task from the queue", async () => {
  const gate = createGate({ concurrency: 1, perMinute: 100, clock: systemClock });
  const stop = new AbortController();
  const first = gate.run(() => Promise.resolve("first"), stop.signal);
  const second = gate.run(() => Promise.resolve("second"));
  stop.abort();
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
});

test("no task starts before the end of a pause, and a shorter pause does not end it earlier", async () => {
  vi.useFakeTimers();
  try {
    const gate = createGate({ concurrency: 2, perMinute: 100, clock: systemClock });
    gate.pause(1_000);
    gate.pause(10);
    const started: number[] = [];
    const all = Promise.all([1, 2, 3].map((number) => gate.run(async () => started.push(number))));
    await vi.advanceTimersByTimeAsync(999);
    expect([started, gate.size]).toEqual([[], 3]);
    await vi.advanceTimersByTimeAsync(1);
    await all;
    expect(started).toEqual([1, 2, 3]);
  } finally {
    vi.useRealTimers();
  }
});

test("perMinute limits the starts within a minute, and the next task starts a minute after the first", async () => {
  vi.useFakeTimers();
  try {
    const gate = createGate({ concurrency: 9, perMinute: 2, clock: systemClock });
    const began = Date.now();
    const starts: number[] = [];
    const run = () => gate.run(async () => void starts.push(Date.now() - began));
    const early = run();
    await vi.advanceTimersByTimeAsync(20_000);
    const all = Promise.all([early, run(), run(), run(), run()]);
    await vi.advanceTimersByTimeAsync(180_000);
    await all;
    expect(starts).toEqual([0, 20_000, 60_000, 80_000, 120_000]);
  } finally {
    vi.useRealTimers();
  }
});

test("a task whose signal aborts while it waits never starts, and uses no start of its minute", async () => {
  vi.useFakeTimers();
  try {
    const gate = createGate({ concurrency: 9, perMinute: 1, clock: systemClock });
    const gone = new AbortController();
    const started: string[] = [];
    const run = (name: string, signal?: AbortSignal) =>
      gate.run(async () => void started.push(name), signal);
    await run("first");
    const given = run("given up", gone.signal).catch(String);
    const last = run("last");
    expect(gate.size).toBe(2);
    gone.abort(new Error("gone"));
    expect(await given).toBe("Error: gone");
    expect(gate.size).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await last;
    expect(started).toEqual(["first", "last"]);
    await expect(run("late", gone.signal)).rejects.toThrow("gone");
  } finally {
    vi.useRealTimers();
  }
});
