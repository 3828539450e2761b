import { afterEach, describe, expect, test, vi } from "vitest";
import { createSteerableClock, createVirtualClock } from "./clocks.ts";

afterEach(() => {
  vi.useRealTimers();
});

const BEGIN = Date.UTC(2026, 0, 1);

describe("createVirtualClock", () => {
  test("starts at a Date, a number of milliseconds, a string, or the machine's time", () => {
    expect(createVirtualClock(new Date(BEGIN)).now()).toBe(BEGIN);
    expect(createVirtualClock(BEGIN).now()).toBe(BEGIN);
    expect(createVirtualClock("2026-01-01T00:00:00Z").now()).toBe(BEGIN);
    expect(Math.abs(createVirtualClock().now() - Date.now())).toBeLessThan(1000);
    expect(() => createVirtualClock("soon")).toThrow(RangeError);
  });

  test("does not move until it is advanced", async () => {
    const clock = createVirtualClock(BEGIN);
    let woken = false;
    const sleeping = clock.sleep(1).then(() => (woken = true));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([clock.now(), woken, clock.pending]).toEqual([BEGIN, false, 1]);
    await clock.advance(1);
    await sleeping;
    expect([clock.now(), woken, clock.pending]).toEqual([BEGIN + 1, true, 0]);
  });

  test("resolves sleeps in the order of their times, and of their calls if these are equal", async () => {
    const clock = createVirtualClock(0);
    const log: string[] = [];
    const note = (name: string, ms: number) =>
      clock.sleep(ms).then(() => log.push(`${name}@${clock.now()}`));
    const all = Promise.all([note("c", 30), note("a", 10), note("b", 20), note("a2", 10)]);
    await clock.advance(100);
    await all;
    expect(log).toEqual(["a@10", "a2@10", "b@20", "c@30"]);
    expect(clock.now()).toBe(100);
  });

  test("runs the code that awaited a sleep to its end before it moves the time", async () => {
    const clock = createVirtualClock(0);
    const log: string[] = [];
    const chain = clock.sleep(10).then(async () => {
      for (let i = 0; i < 50; i += 1) await Promise.resolve();
      log.push(`first, at ${clock.now()}`);
    });
    const other = clock.sleep(11).then(() => log.push(`second, at ${clock.now()}`));
    await clock.advance(20);
    await Promise.all([chain, other]);
    expect(log).toEqual(["first, at 10", "second, at 11"]);
  });

  test("resolves a sleep that starts during the advance and ends within it", async () => {
    const clock = createVirtualClock(0);
    const times: number[] = [];
    const loop = async () => {
      for (let i = 0; i < 5; i += 1) {
        await clock.sleep(10);
        times.push(clock.now());
      }
    };
    const running = loop();
    await clock.advance(35);
    expect(times).toEqual([10, 20, 30]);
    await clock.advance(15);
    await running;
    expect(times).toEqual([10, 20, 30, 40, 50]);
  });

  test("adds overlapping calls of advance", async () => {
    const clock = createVirtualClock(0);
    const running = clock.sleep(15).then(() => clock.now());
    await Promise.all([clock.advance(10), clock.advance(10)]);
    expect(await running).toBe(15);
    expect(clock.now()).toBe(20);
  });

  test("rejects a negative advance, and an infinite one", async () => {
    const clock = createVirtualClock(0);
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(clock.advance(ms)).rejects.toThrow(RangeError);
    }
    expect(clock.now()).toBe(0);
  });

  test("does not use the timers, which a test may have replaced", async () => {
    vi.useFakeTimers();
    const clock = createVirtualClock(0);
    const running = clock.sleep(10);
    await clock.advance(10);
    await running;
  });
});

describe("sleep", () => {
  test("resolves immediately if there is no time to wait", async () => {
    await createVirtualClock(0).sleep(0);
    await createVirtualClock(0).sleep(-5);
  });

  test("rejects with the reason of a signal that has already aborted", async () => {
    await expect(createVirtualClock(0).sleep(0, AbortSignal.abort("gone"))).rejects.toBe("gone");
  });
});

const START = Date.parse("2026-01-01T00:00:00Z");

test("runs like the clock of the machine", async () => {
  const clock = createSteerableClock({ start: START });
  await clock.sleep(20);
  expect(clock.now()).toBeGreaterThanOrEqual(START + 20);
  expect(clock.pending).toBe(0);
  expect(Math.abs(createSteerableClock().now() - Date.now())).toBeLessThan(1_000);
  expect(() => createSteerableClock({ start: "soon" })).toThrow(RangeError);
});

test("does not move while it is paused, and continues from there", async () => {
  const clock = createSteerableClock({ start: START, paused: true });
  let woken = false;
  const sleeping = clock.sleep(10).then(() => void (woken = true));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([clock.now(), clock.paused, woken]).toEqual([START, true, false]);
  clock.run();
  await sleeping;
  expect(clock.paused).toBe(false);
  clock.pause();
  const stopped = clock.now();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(clock.now()).toBe(stopped);
});

test("resolves sleeps in order when it is advanced, each at its time", async () => {
  const clock = createSteerableClock({ start: START, paused: true });
  const woken: [string, number][] = [];
  const sleep = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push([name, clock.now() - START]);
    if (name === "a") await sleep("c", 500);
  };
  void sleep("b", 2_000);
  void sleep("a", 1_000);
  await Promise.all([clock.advance(1_500), clock.advance(10_000)]);
  expect(woken).toEqual([
    ["a", 1_000],
    ["c", 1_500],
    ["b", 2_000],
  ]);
  expect(clock.now()).toBe(START + 11_500);
});

test("continues to run after it was advanced", async () => {
  const clock = createSteerableClock({ start: START });
  await clock.advance(60_000);
  await clock.sleep(10);
  expect(clock.now()).toBeGreaterThanOrEqual(START + 60_010);
});

test("set changes the time without resolving sleeps, which still last as long", async () => {
  const clock = createSteerableClock({ start: START, paused: true });
  let woken = false;
  void clock.sleep(1_000).then(() => void (woken = true));
  await clock.advance(400);
  clock.set(START - 86_400_000);
  await clock.advance(599);
  expect(woken).toBe(false);
  await clock.advance(1);
  expect(woken).toBe(true);
  for (const time of [Number.NaN, Infinity, 9e15])
    expect(() => clock.set(time)).toThrow(RangeError);
  await expect(clock.advance(9e15)).rejects.toThrow("no date that late");
  await expect(clock.advance(-1)).rejects.toThrow(RangeError);
});

test("removes a sleep that was aborted", async () => {
  const clock = createSteerableClock({ start: START });
  const gone = new AbortController();
  const sleeping = clock.sleep(1_000_000, gone.signal);
  gone.abort();
  await expect(sleeping).rejects.toThrow("aborted");
  expect(clock.pending).toBe(0);
});
