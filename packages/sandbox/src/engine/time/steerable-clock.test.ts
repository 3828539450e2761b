import { expect, test } from "vitest";
import { createSteerableClock } from "./steerable-clock.ts";

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
