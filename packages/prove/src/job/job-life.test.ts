import { afterEach, expect, test, vi } from "vitest";
import { nextTurn } from "../../../sandbox/src/engine/time/sleepers.ts";
import { createVirtualClock } from "@fieldmesh/sandbox/engine";
import { createLife } from "./job-life.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const DAY = 86_400_000;
const never = () => new Promise<never>(() => {});

afterEach(() => void vi.restoreAllMocks());

/** A process, and what shows how far its clock has moved. */
function start() {
  const clock = createVirtualClock(START);
  const life = createLife({ clock } as never);
  return { life, clock, moved: () => clock.now() - START, own: () => life.clock.now() - START };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++)
    await new Promise<void>((resolve) => void setImmediate(resolve));
}

/** Stops the real time, and returns what sets it. */
function stopTime(): (time: number) => void {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time);
  return (to) => void (time = to);
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => void (settled = true);
  promise.then(settle, settle);
  await turns(5);
  return settled;
}

test("the clock moves to each sleep's end while the run waits for nothing else", async () => {
  const { life, moved } = start();
  const seen: number[] = [];
  const result = await life.live(async () => {
    const slow = life.clock.sleep(5_000).then(() => seen.push(moved()));
    await life.clock.sleep(2_000);
    seen.push(moved());
    await life.clock.sleep(1_000);
    seen.push(moved());
    await slow;
  });
  expect(result).toMatchObject({ is: "returned" });
  expect([seen, moved()]).toEqual([[2_000, 3_000, 5_000], 5_000]);
});

test("the clock does not move while a call is open, or within 50 turns of the event loop", async () => {
  const { life, moved } = start();
  const seen: number[] = [];
  await life.live(async () => {
    const sleep = life.clock.sleep(1_000);
    await turns(45);
    seen.push(moved());
    await life.call(() => turns(100));
    seen.push(moved());
    // The end of a call begins the count again.
    await turns(45);
    seen.push(moved());
    while (moved() === 0) await turns(1);
    seen.push(moved());
    await sleep;
  });
  expect(seen).toEqual([0, 0, 0, 1_000]);
});

test("a sleep without an end waits for its signal, and the clock does not move", async () => {
  const { life, moved } = start();
  const controller = new AbortController();
  const result = await life.live(async () => {
    const sleep = life.clock.sleep(Infinity, controller.signal).catch(() => "aborted");
    await turns(200);
    controller.abort();
    return await sleep;
  });
  expect([result, moved()]).toEqual([{ is: "returned", report: "aborted" }, 0]);
});

test("after the end of a run, no call begins or settles, no sleep ends and the clock stops", async () => {
  const { life, clock, own } = start();
  const controller = new AbortController();
  const io = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const open = io.map(({ promise }) => life.call(() => promise));
  const sleeping = [life.clock.sleep(1_000), life.clock.sleep(9_000, controller.signal)];
  await life.live(async () => {});
  await clock.advance(3_000);
  io[0].resolve();
  io[1].reject(new Error("fetch failed"));
  const done: string[] = [];
  const later = [
    life.call(async () => void done.push("called")),
    life.clock.sleep(0),
    life.clock.sleep(1),
  ];
  const all = [...open, sleeping[0]!, ...later];
  expect(await Promise.all(all.map(isSettled))).toEqual(all.map(() => false));
  expect([done, own(), clock.pending]).toEqual([[], 0, 1]);
  sleeping[1]!.catch(() => {});
  controller.abort();
});

test.each([
  [0, "returned"],
  [1, "hangs"],
])("a run that has slept for 7 days and %d ms %s", async (more, expected) => {
  const { life } = start();
  const result = await life.live(async () => {
    await life.clock.sleep(7 * DAY + more);
    // The run is looked at before it returns.
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  });
  expect(result.is).toBe(expected);
  expect(life.isOver).toBe(true);
});

test("a run that makes no call for 15 s of real time hangs", async () => {
  const setTime = stopTime();
  const { life } = start();
  const running = life.live(never);
  setTime(15_000);
  expect(await isSettled(running)).toBe(false);
  setTime(15_001);
  expect(await running).toEqual({ is: "hangs" });
  expect(life.isOver).toBe(true);
});

test("the 15 s begin again with each call, and do not pass while one is open", async () => {
  const setTime = stopTime();
  const { life } = start();
  const io = Promise.withResolvers<void>();
  const running = life.live(never);
  await turns(5);
  setTime(10_000);
  const call = life.call(() => io.promise);
  await turns(5);
  setTime(90_000);
  expect(await isSettled(running)).toBe(false);
  io.resolve();
  await call;
  await turns(5);
  setTime(105_000);
  expect(await isSettled(running)).toBe(false);
  setTime(105_001);
  expect(await running).toEqual({ is: "hangs" });
});

test("a run that sleeps does not hang, however slow the machine is", async () => {
  const setTime = stopTime();
  const { life } = start();
  const running = life.live(() => life.clock.sleep(1_000));
  setTime(99_000);
  expect(await running).toMatchObject({ is: "returned" });
});
