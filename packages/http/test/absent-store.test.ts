import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardStore } from "../src/limit/guard-store.ts";
import type { SharedRateLimit } from "../src/index.ts";

// A store that hangs: how long calls wait for it, and when it is asked again.

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const counter = { key: "a", limit: 5, window: 1_000 };

/** A store that hangs as long as a test wants. */
function startStore() {
  const state = { hangs: true, takes: 0 };
  const onError = vi.fn();
  const store: SharedRateLimit = {
    take: () => {
      state.takes += 1;
      return state.hangs ? new Promise(() => undefined) : Promise.resolve(7);
    },
    block: async () => undefined,
    onError,
  };
  return { state, onError, guard: guardStore(store), store };
}

/** Takes one, and returns the result with the milliseconds that it took. */
async function timed(guard: ReturnType<typeof guardStore>): Promise<unknown[]> {
  const began = performance.now();
  let took: number | undefined;
  const taken = guard.take(counter).finally(() => (took = performance.now() - began));
  await vi.advanceTimersByTimeAsync(600);
  return [await taken, took];
}

test("one take waits 500 ms, and further ones not at all for 10 s", async () => {
  const { state, onError, guard } = startStore();
  expect(await timed(guard)).toEqual([undefined, 500]);
  for (let each = 0; each < 15; each++) expect(await timed(guard)).toEqual([undefined, 0]);
  expect([state.takes, onError.mock.calls.length]).toEqual([1, 1]);
  expect(String(onError.mock.calls[0])).toContain("did not respond within 500 ms");
});

test("takes that hang at the same time are one absence", async () => {
  const { onError, guard } = startStore();
  const all = Promise.all([guard.take(counter), guard.take(counter), guard.take(counter)]);
  await vi.advanceTimersByTimeAsync(500);
  expect(await all).toEqual([undefined, undefined, undefined]);
  expect(onError).toHaveBeenCalledOnce();
});

test("the store is asked again in the background after 10, 20, 40 and then 60 s, with one report each", async () => {
  const { state, onError, guard } = startStore();
  await timed(guard);
  const askedAgainAfter: number[] = [];
  let failedAt = performance.now() - 100;
  while (askedAgainAfter.length < 5) {
    const before = state.takes;
    expect(await timed(guard)).toEqual([undefined, 0]);
    if (state.takes === before) continue;
    askedAgainAfter.push(Math.floor((performance.now() - 600 - failedAt) / 10_000) * 10);
    failedAt = performance.now() - 100;
  }
  expect(askedAgainAfter).toEqual([10, 20, 40, 60, 60]);
  expect(onError).toHaveBeenCalledTimes(6);
});

test("counts in the store again as soon as it responds, and forgets the absence", async () => {
  const { state, onError, guard } = startStore();
  await timed(guard);
  await vi.advanceTimersByTimeAsync(10_000);
  state.hangs = false;
  expect(await guard.take(counter)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(0);
  expect(await guard.take(counter)).toBe(7);
  state.hangs = true;
  expect(await timed(guard)).toEqual([undefined, 500]);
  await vi.advanceTimersByTimeAsync(10_000);
  const before = state.takes;
  await timed(guard);
  expect([state.takes - before, onError.mock.calls.length]).toEqual([1, 3]);
});

test("clients that share a store share its absence", async () => {
  const { guard, store } = startStore();
  await timed(guard);
  expect(await timed(guardStore(store))).toEqual([undefined, 0]);
});

test.each([undefined, null, "5", Number.NaN, -1, { wait: 5 }])(
  "the answer %j counts as no answer, and not as a wait",
  async (odd) => {
    const store = { take: async () => odd as number, block: async () => undefined };
    expect(await guardStore(store).take(counter)).toBeUndefined();
  },
);

test("a store that throws is asked for every call, because it delays none", async () => {
  const take = vi.fn(() => Promise.reject(new Error("refused")));
  const guard = guardStore({ take, block: async () => undefined });
  expect([await guard.take(counter), await guard.take(counter)]).toEqual([undefined, undefined]);
  expect(take).toHaveBeenCalledTimes(2);
});
