import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Settings } from "../options/settings.ts";
import { createPause } from "./pause.ts";

const settings = { baseDelay: 100, maxDelay: 1_000 } as Settings;
const tooMany = { status: 429 } as never;
const patient = { signal: new AbortController().signal, timeLeft: () => 60_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"], now: 0 });
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const now = (): number => performance.now();
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
/** A 429 to a request that is sent now. */
const begin = (pause: ReturnType<typeof createPause>, hint?: number, sentAt = now()): void =>
  pause.begin(tooMany, { sentAt, hint });

/** When a wait that begins now ends, in milliseconds from now. */
async function lengthOf(waiting: Promise<void>): Promise<number> {
  const start = now();
  const ended = { at: Infinity };
  void waiting.then(() => (ended.at = now()));
  for (let step = 0; ended.at === Infinity && step < 100_000; step++) await pass(1);
  return ended.at - start;
}

test("no call waits before the first 429", async () => {
  const pause = createPause(settings);
  expect(pause.isActive()).toBe(false);
  expect(pause.left()).toBe(0);
  expect(await lengthOf(pause.wait(patient))).toBeLessThanOrEqual(1);
});

test.each([
  [0, 1_000, 1_500],
  [0.5, 1_000, 1_750],
  [0.999, 1_000, 1_999],
])(
  "a pause is as long as the server asks, and ends at a random moment within a second after (%d)",
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
    expect(pause.isActive()).toBe(true);
    await pass(2);
    expect(pause.isActive()).toBe(false);
  },
);

test("of a long wait, the tenth is added", async () => {
  vi.mocked(Math.random).mockReturnValue(0.9999);
  const pause = createPause(settings);
  begin(pause, 100_000);
  await pass(109_990);
  expect(pause.isActive()).toBe(true);
  await pass(20);
  expect(pause.isActive()).toBe(false);
});

test("without a hint the pause doubles from round to round, up to the longest", async () => {
  const pause = createPause(settings);
  for (const length of [100, 200, 400, 800, 1_000, 1_000]) {
    begin(pause);
    expect(pause.left()).toBe(length);
    await pass(length);
  }
});

test("without a hint the calls return within the length of the pause after it", async () => {
  const pause = createPause(settings);
  begin(pause);
  await pass(149);
  expect(pause.isActive()).toBe(true);
  await pass(2);
  expect(pause.isActive()).toBe(false);
});

test("another 429 that names the same moment moves nothing", async () => {
  const pause = createPause(settings);
  begin(pause, 1_000);
  vi.mocked(Math.random).mockReturnValue(0.999);
  begin(pause, 1_000);
  await pass(1_499);
  expect(pause.isActive()).toBe(true);
  await pass(2);
  expect(pause.isActive()).toBe(false);
});

test("a hint that is repeatedly too short grows, and a longer one counts", async () => {
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

test("requests that were in progress tell nothing new, unless they name a later time", async () => {
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
  // Only one round so far.
  begin(pause);
  expect(pause.left()).toBe(200);
});

test("a request that was sent after the pause and succeeds ends the rounds; an earlier one does not", async () => {
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

test("a call that waits returns between the end of the pause and the return of all", async () => {
  for (const [random, length] of [
    [0, 1_000],
    [0.5, 1_250],
  ] as const) {
    const pause = createPause(settings);
    vi.mocked(Math.random).mockReturnValue(0);
    begin(pause, 1_000);
    vi.mocked(Math.random).mockReturnValue(random);
    expect(await lengthOf(pause.wait(patient))).toBe(length);
  }
});

test("a call that comes between the end of the pause and the return of all is behind those that waited", async () => {
  for (const [late, length] of [
    [0, 500],
    [200, 300],
  ] as const) {
    const pause = createPause(settings);
    begin(pause, 1_000);
    await pass(1_000 + late);
    expect(await lengthOf(pause.wait(patient))).toBe(length);
  }
});

test("a call with little time left keeps half of it for the request", async () => {
  const pause = createPause(settings);
  begin(pause, 1_000);
  vi.mocked(Math.random).mockReturnValue(0.999);
  // Of 1,200 ms, 200 are left when the pause is over.
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

test("a call that the pause outlasts ends at once, with the 429 that began it", async () => {
  const pause = createPause(settings);
  begin(pause, 1_000);
  for (const timeLeft of [10, 999, 1_000]) {
    const waiting = pause.wait({ ...patient, timeLeft: () => timeLeft });
    await expect(waiting).rejects.toMatchObject({ failure: { kind: "held", response: tooMany } });
  }
  expect(now()).toBe(0);
});

test("a pause that is extended is waited for", async () => {
  const pause = createPause(settings);
  begin(pause, 1_000);
  const waiting = lengthOf(pause.wait(patient));
  await pass(500);
  begin(pause, 3_000, 0);
  expect(await waiting).toBeGreaterThanOrEqual(3_500);
});

test("a wait ends with the signal", async () => {
  const pause = createPause(settings);
  begin(pause, 1_000);
  const abort = new AbortController();
  const waiting = pause.wait({ ...patient, signal: abort.signal });
  abort.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
});
