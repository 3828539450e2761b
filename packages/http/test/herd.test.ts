import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FetchFunction } from "../src/internal.ts";
import { createThings, thing } from "./things.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CLIENTS = 500;

/** Creates a fetch that fails the first request with this status and wait, and records when the second one arrives. */
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

/** Returns the largest number of clients that returned within the same hundredth of the spread. */
function crowd(returns: readonly number[], spread: number): number {
  const counts = new Map<number, number>();
  for (const time of returns) {
    const slot = Math.floor(time / (spread / 100));
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

describe.each([429, 503])("500 clients that receive the same wait with a %i", (status) => {
  test.each([
    [0.3, 1_000],
    [1, 1_000],
    [60, 6_000],
  ])(
    "of %d s return within %i ms after it, none earlier and not all at once",
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

test("walks with keepTrying do not return all at once either", async () => {
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
