import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FetchFunction } from "../src/index.ts";
import { createThings, errorOf, thing } from "./things.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CLIENTS = 500;

/** Fails the first request of a client with this status and wait, and keeps when the second one came. */
function failOnce(status: number, seconds: number, returns: number[]): FetchFunction {
  let first: number | undefined;
  return async () => {
    if (first !== undefined) {
      returns.push(performance.now() - first);
      return Response.json([thing]);
    }
    first = performance.now();
    return new Response("", { status, headers: { "retry-after": String(seconds) } });
  };
}

/** The most clients that returned within the same hundredth of the spread. */
function crowd(returns: readonly number[], spread: number): number {
  const counts = new Map<number, number>();
  for (const time of returns) {
    const slot = Math.floor(time / (spread / 100));
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

describe.each([429, 503])("500 clients that a server tells the same wait with %i", (status) => {
  test.each([
    [0.001, 1_000],
    [0.3, 1_000],
    [1, 1_000],
    [5, 1_000],
    [60, 6_000],
  ])(
    "of %i s return within %i ms after it, none earlier and never together",
    async (seconds, spread) => {
      const returns: number[] = [];
      const calls = Array.from({ length: CLIENTS }, () =>
        createThings({ fetch: failOnce(status, seconds, returns) }).list(),
      );
      await vi.advanceTimersByTimeAsync(seconds * 1_000 + spread + 1);
      await Promise.all(calls);
      expect(returns).toHaveLength(CLIENTS);
      expect(Math.min(...returns)).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(Math.max(...returns)).toBeLessThanOrEqual(seconds * 1_000 + spread);
      expect(crowd(returns, spread)).toBeLessThan(CLIENTS / 10);
    },
  );

  test("return within totalTimeout if the wait itself fits", async () => {
    const returns: number[] = [];
    const calls = Array.from({ length: CLIENTS }, () =>
      createThings({ fetch: failOnce(status, 10, returns), totalTimeout: 10_040 }).list(),
    );
    await vi.advanceTimersByTimeAsync(10_100);
    expect(await Promise.all(calls)).toHaveLength(CLIENTS);
    expect(Math.max(...returns)).toBeLessThanOrEqual(10_020);
  });
});

test("walks that outlast the wait do not return together either", async () => {
  const returns: number[] = [];
  const walks = Array.from({ length: CLIENTS }, () => {
    let first: number | undefined;
    const fetch: FetchFunction = async () => {
      if (first !== undefined) {
        returns.push(performance.now() - first);
        return Response.json({ data: [thing] });
      }
      first = performance.now();
      return new Response("", { status: 503, headers: { "retry-after": "60" } });
    };
    const things = createThings({ fetch, totalTimeout: 1_000 });
    return things.walk({}, { keepTrying: 3_600_000 }).toArray({ limit: 1 });
  });
  await vi.advanceTimersByTimeAsync(66_001);
  await Promise.all(walks);
  expect(Math.min(...returns)).toBeGreaterThanOrEqual(60_000);
  expect(crowd(returns, 6_000)).toBeLessThan(CLIENTS / 10);
});

test("the wait that an error names is the server's own", async () => {
  const fetch = failOnce(503, 60, []);
  const failed = errorOf<Error & { retryAt: Date }>(
    createThings({ fetch, totalTimeout: 1_000 }).list(),
  );
  expect((await failed).retryAt.getTime() - Date.now()).toBe(60_000);
});
