import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { guardStore } from "../src/limit/guard-store.ts";
import type { SharedRateLimit } from "../src/index.ts";

// A store that hangs or fails: how long calls wait for it, and when it is asked again.

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const counter = { key: "a", limit: 5, window: 1_000 };

/** What a store can do wrong: what it resolves with or throws, the time until then, and what is reported. */
const FAULTS: Readonly<Record<string, readonly [() => unknown, number, string]>> = {
  hangs: [() => new Promise(() => undefined), 500, "did not respond within 500 ms"],
  rejects: [() => Promise.reject(new Error("no connection")), 0, "no connection"],
  throws: [
    () => {
      throw new Error("of the driver");
    },
    0,
    "of the driver",
  ],
};

/** A store that has a fault as long as a test wants. */
function startStore(fault = "hangs") {
  const state = { isBroken: true, asked: 0 };
  const respond = <T>(result: T): Promise<T> => {
    state.asked += 1;
    return state.isBroken ? (FAULTS[fault]![0]() as Promise<T>) : Promise.resolve(result);
  };
  const onError = vi.fn();
  const store: SharedRateLimit = {
    take: () => respond(7),
    block: () => respond(undefined),
    onError,
  };
  return { state, onError, guard: guardStore(store), store };
}

type Guard = ReturnType<typeof guardStore>;
const take = (guard: Guard) => guard.take(counter);
const block = (guard: Guard) => guard.block(counter, 1_000);

/** Asks the store, and returns the result with the milliseconds until it was there. */
async function timed(guard: Guard, ask: (guard: Guard) => Promise<unknown> = take) {
  const began = performance.now();
  let took: number | undefined;
  const asked = ask(guard).finally(() => (took = performance.now() - began));
  await vi.advanceTimersByTimeAsync(600);
  return [await asked, took];
}

describe.each(Object.entries(FAULTS))("a store that %s", (fault, [, wait, message]) => {
  test.each([
    ["take", take],
    ["block", block],
  ])("in %s is reported once, and then not asked for 10 s", async (_, ask) => {
    const { state, onError, guard } = startStore(fault);
    expect(await timed(guard, ask)).toEqual([undefined, wait]);
    for (let each = 0; each < 15; each++) expect(await timed(guard, ask)).toEqual([undefined, 0]);
    expect([state.asked, onError.mock.calls.length]).toEqual([1, 1]);
    expect(String(onError.mock.calls[0])).toContain(message);
  });

  test("several times at once is absent once", async () => {
    const { onError, guard } = startStore(fault);
    const all = Promise.all([take(guard), take(guard), block(guard)]);
    await vi.advanceTimersByTimeAsync(500);
    expect(await all).toEqual([undefined, undefined, undefined]);
    expect(onError).toHaveBeenCalledOnce();
  });

  test("is asked again in the background after 10, 20, 40 and then 60 s, with one report each", async () => {
    const { state, onError, guard } = startStore(fault);
    await timed(guard);
    for (const seconds of [10, 20, 40, 60, 60]) {
      const before = state.asked;
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 601);
      expect([await take(guard), state.asked]).toEqual([undefined, before]);
      await vi.advanceTimersByTimeAsync(601);
      expect(await timed(guard)).toEqual([undefined, 0]);
      expect(state.asked).toBe(before + 1);
    }
    expect(onError).toHaveBeenCalledTimes(6);
  });

  test("counts again as soon as it responds, and its absence is forgotten", async () => {
    const { state, onError, guard } = startStore(fault);
    await timed(guard);
    await vi.advanceTimersByTimeAsync(10_000);
    state.isBroken = false;
    expect(await guard.take(counter)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(0);
    expect(await guard.take(counter)).toBe(7);
    state.isBroken = true;
    expect(await timed(guard)).toEqual([undefined, wait]);
    await vi.advanceTimersByTimeAsync(10_000);
    const before = state.asked;
    await timed(guard);
    expect([state.asked - before, onError.mock.calls.length]).toEqual([1, 3]);
  });

  test("is absent for all clients that share through it", async () => {
    const { guard, store } = startStore(fault);
    await timed(guard);
    expect(await timed(guardStore(store))).toEqual([undefined, 0]);
  });
});

test.each([undefined, Number.NaN, -1])(
  "the result %j of take counts as a failure, and not as a wait",
  async (odd) => {
    const onError = vi.fn();
    const store = { take: async () => odd as number, block: async () => undefined, onError };
    expect(await guardStore(store).take(counter)).toBeUndefined();
    expect(String(onError.mock.calls[0])).toContain("must resolve with a number of milliseconds");
  },
);
