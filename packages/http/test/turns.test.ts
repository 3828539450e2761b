import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CallError, FetchFunction } from "../src/index.ts";
import { postgresRateLimit } from "../src/shared-rate-limit.ts";
import { createThings, errorOf, thing } from "./things.ts";

// What a call waits for before it is sent, in time that the tests move.

const MINUTE = 60_000;

describe("a call that waits for its turn", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("still has its signal after an attempt that timed out", async () => {
    let sent = 0;
    const fetch: FetchFunction = async () => {
      if (++sent === 1) await new Promise(() => undefined);
      return Response.json([thing]);
    };
    const controller = new AbortController();
    const { signal } = controller;
    const options = { fetch, rateLimit: 1, timeout: 1_000, totalTimeout: 5 * MINUTE };
    const call = createThings(options).list({ signal });
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(await call).toEqual([thing]);

    sent = 0;
    const other = errorOf<CallError>(createThings(options).list({ signal }));
    await vi.advanceTimersByTimeAsync(10_000);
    controller.abort();
    const error = await other;
    expect(error).toMatchObject({ name: "AbortError", attempts: [{ failure: "timeout" }] });
    expect(sent).toBe(1);
  });

  test("and then for its key, is not said to have waited for its turn alone", async () => {
    const fetch: FetchFunction = async () => Response.json([thing]);
    const apiKey = (): Promise<string> => new Promise(() => undefined);
    const things = createThings({ fetch, rateLimit: 1, apiKey });
    const first = errorOf(things.list({ totalTimeout: 1_000 }));
    const second = errorOf<CallError>(things.list({ totalTimeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    await first;
    const error = await second;
    expect(error.message).toContain("got no complete response within 5000 ms (totalTimeout).");
    expect(error).toMatchObject({ outcome: "not_sent", attempts: [] });
  });

  test("that never comes says so", async () => {
    const fetch: FetchFunction = async () => Response.json([thing]);
    const things = createThings({ fetch, rateLimit: 1, totalTimeout: 10_000 });
    await things.list();
    const failed = errorOf<CallError>(things.list());
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await failed).message).toContain(
      "was not sent: the rate limit had no room for it within 10000 ms (totalTimeout).",
    );
  });
});

test("a 429 after a success is waited for as the first one was, and not twice as long", async () => {
  const statuses = [429, 200, 429, 200];
  const waits: (number | undefined)[] = [];
  const things = createThings({
    retry: { baseDelay: 20, maxDelay: 1_000 },
    fetch: async () => Response.json([thing], { status: statuses.shift() ?? 200 }),
    logger: {
      debug: () => undefined,
      info: (_, fields) => waits.push((fields as { wait?: number }).wait),
      warn: () => undefined,
      error: () => undefined,
    },
  });
  await things.list();
  await things.list();
  expect(waits).toHaveLength(2);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(20);
});

test.each<[string, unknown, string]>([
  ["the code of what a store throws", Object.assign(new Error("canary"), { code: "E1" }), "(E1)"],
  ["its name", new RangeError("canary"), "(RangeError)"],
  [
    "a code that is no text, by its name",
    Object.assign(new EvalError("canary"), { code: 7 }),
    "(EvalError)",
  ],
  ["what has neither", { code: 5, name: 5 }, "(an error)"],
])("%s is printed once, and nothing else of it", async (_what, thrown, shown) => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  try {
    const store = postgresRateLimit({ query: () => Promise.reject(thrown) });
    const budget = { key: "a", limit: 1, window: 1_000 };
    for (let round = 0; round < 2; round++) {
      expect(await store.take(budget)).toBe(0);
      await store.block(budget, 5);
    }
    expect(warn.mock.calls).toEqual([
      [
        `fieldmesh: the store of a shared rate limit failed ${shown}. Calls are sent within the limit of this process alone; see onError.`,
      ],
    ]);
  } finally {
    warn.mockRestore();
  }
});
