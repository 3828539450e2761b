import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Settings } from "../options/settings.ts";
import { createPause, HeldBack } from "./pause.ts";

const settings = { baseDelay: 100, maxDelay: 1_000 } as Settings;
const tooMany = { status: 429 } as never;
const patient = { signal: () => new AbortController().signal, timeLeft: () => 60_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "Date", "setTimeout", "clearTimeout"], now: 0 });
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const now = (): number => performance.now();
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const heldUntil = (milliseconds: number) =>
  new HeldBack(tooMany, new Date(Date.now() + milliseconds));
/** A 429 to a request that is sent now. */
const begin = (pause: ReturnType<typeof createPause>, hint?: number, sentAt = now()): void =>
  pause.begin(tooMany, { sentAt, hint });

/** Tells whether a call has to wait that is made now. */
async function isWaiting(pause: ReturnType<typeof createPause>): Promise<boolean> {
  let isOver = false;
  void pause.wait(patient).then(() => (isOver = true));
  await pass(0);
  return !isOver;
}

/** Returns how long a wait that begins now lasts, in milliseconds. */
async function lengthOf(waiting: Promise<unknown>): Promise<number> {
  const start = now();
  const ended = { at: Infinity };
  void waiting.then(() => (ended.at = now()));
  for (let step = 0; ended.at === Infinity && step < 100_000; step++) await pass(1);
  return ended.at - start;
}

test("thousands of 429s with a base delay of 0 leave a pause of no length", () => {
  const pause = createPause({ baseDelay: 0, maxDelay: 1_000 });
  for (let round = 0; round < 2_000; round++) begin(pause);
  expect([pause.left(), pause.saidLeft()]).toEqual([0, 0]);
});

test.each([
  [0, 1_000, 1_500],
  [0.5, 1_000, 1_750],
  [0.999, 1_000, 1_999],
])(
  "a pause lasts as long as the server asks, and a random part of a second longer (%d)",
  async (random, asked, until) => {
    vi.mocked(Math.random).mockReturnValue(random);
    const pause = createPause(settings);
    begin(pause, asked);
    expect(pause.left()).toBe(asked);
    await pass(400);
    expect(pause.left()).toBe(asked - 400);
    await pass(asked - 400);
    expect(pause.left()).toBe(0);
    await pass(until - asked - 1);
    expect(await isWaiting(pause)).toBe(true);
    await pass(2);
    expect(await isWaiting(pause)).toBe(false);
  },
);

test("a pause outgrows hints that are repeatedly too short, and accepts a longer hint", async () => {
  const pause = createPause(settings);
  for (const [hint, length] of [
    [10, 10],
    [10, 200],
    [10, 400],
    [5_000, 5_000],
    [10, 1_000],
  ] as const) {
    begin(pause, hint);
    expect(pause.left()).toBe(length);
    await pass(length);
  }
});

test("a 429 to a request that was in progress extends the pause only if it names a later time", async () => {
  const pause = createPause(settings);
  begin(pause);
  begin(pause, undefined, 0);
  begin(pause, undefined, 99);
  expect(pause.left()).toBe(100);
  begin(pause, 50, 0);
  expect(pause.left()).toBe(100);
  begin(pause, 300, 0);
  expect(pause.left()).toBe(300);
  await pass(300);
  // So far there was only one round.
  begin(pause);
  expect(pause.left()).toBe(200);
});

test("a success ends the rounds only if its request was sent after the pause", async () => {
  const pause = createPause(settings);
  begin(pause);
  await pass(100);
  begin(pause);
  pause.end(250);
  await pass(200);
  begin(pause);
  expect(pause.left()).toBe(400);
  await pass(400);
  pause.end(now());
  begin(pause);
  expect(pause.left()).toBe(100);
});

test("a call with little time left keeps half of that time for the request", async () => {
  const pause = createPause(settings);
  begin(pause, 1_000);
  vi.mocked(Math.random).mockReturnValue(0.999);
  // 200 of the 1,200 ms are left at the end of the pause.
  const call = { ...patient, timeLeft: () => 1_200 - now() };
  expect(await lengthOf(pause.wait(call))).toBe(1_100);
  const late = createPause(settings);
  const start = now();
  vi.mocked(Math.random).mockReturnValue(0);
  begin(late, 1_000);
  await pass(1_100);
  const short = { ...patient, timeLeft: () => start + 1_300 - now() };
  expect(await lengthOf(late.wait(short))).toBe(100);
});

describe("a pause that the service wants longer than five minutes", () => {
  const HOUR = 3_600_000;
  const patientFor = (milliseconds: number) => {
    const end = now() + milliseconds;
    return { ...patient, timeLeft: () => end - now() };
  };
  /** A pause of an hour, and what its first call got, half a minute after the first five minutes. */
  const startTest = async () => {
    const pause = createPause(settings);
    begin(pause, HOUR);
    await pass(5 * 60_000 + 30_000);
    return { pause, first: await pause.wait(patientFor(2 * HOUR)) };
  };

  test("holds a call that ends before the time that the service names", async () => {
    const pause = createPause(settings);
    begin(pause, HOUR);
    expect([pause.left(), pause.saidLeft()]).toEqual([5 * 60_000, HOUR]);
    await expect(pause.wait(patientFor(HOUR))).rejects.toEqual(heldUntil(HOUR));
  });

  test("ends after five minutes for one call, and for the others when that one has ended", async () => {
    const pause = createPause(settings);
    begin(pause, HOUR);
    const waits = [1, 2, 3].map(() => pause.wait(patientFor(2 * HOUR)));
    const ended: number[] = [];
    waits.forEach((wait, index) => void wait.then(() => ended.push(index)));
    await pass(5 * 60_000 - 1);
    expect(ended).toEqual([]);
    await pass(60_000);
    expect(ended).toHaveLength(1);
    expect(await isWaiting(pause)).toBe(true);
    const first = await waits[ended[0]!]!;
    first?.end(true);
    expect(await isWaiting(pause)).toBe(false);
    await pass(1_000);
    expect(ended).toHaveLength(3);
  });

  test("begins again with a 429 to the test", async () => {
    const { pause, first } = await startTest();
    expect([pause.admits(undefined), pause.admits(first)]).toEqual([false, true]);
    begin(pause, HOUR);
    first?.end(true);
    expect(pause.left()).toBe(5 * 60_000);
    await expect(pause.wait(patientFor(60_000))).rejects.toEqual(heldUntil(HOUR));
  });

  test("that began during its test needs another test", async () => {
    const { pause, first } = await startTest();
    begin(pause, HOUR);
    first?.end(true);
    await pass(5 * 60_000 + 30_000);
    expect(pause.admits(undefined)).toBe(false);
  });

  test("is tested by the next call if the first one was not sent", async () => {
    const { pause, first } = await startTest();
    const second = pause.wait(patientFor(2 * HOUR));
    first?.end(false);
    await pass(1);
    expect(await second).toEqual({ end: expect.any(Function) });
  });

  test("is not tested by two calls if a test is ended twice", async () => {
    const { pause, first } = await startTest();
    first?.end(false);
    const second = await pause.wait(patientFor(2 * HOUR));
    expect(second).toBeDefined();
    first?.end(true);
    expect(pause.admits(undefined)).toBe(false);
    let isOver = false;
    void pause.wait(patientFor(2 * HOUR)).then(() => (isOver = true));
    await pass(5_000);
    expect(isOver).toBe(false);
    second?.end(true);
    expect(pause.admits(undefined)).toBe(true);
  });

  test("does not get longer by 429s to requests that were in progress", async () => {
    const pause = createPause(settings);
    begin(pause, HOUR, 0);
    await pass(60_000);
    begin(pause, 2 * HOUR, 0);
    expect([pause.left(), pause.saidLeft()]).toEqual([4 * 60_000, 2 * HOUR]);
  });
});
