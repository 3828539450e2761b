import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ApiError, CallError, FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

// The waits of a call before it is sent, with fake timers.

const MINUTE = 60_000;

describe("a call that waits for its permit", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("and then for its key does not report the rate limit as the reason", async () => {
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

  test("releases the permit if the service asks all calls to wait, and uses it after that", async () => {
    const start = performance.now();
    const sent: number[] = [];
    let respond: (response: Response) => void = () => undefined;
    const fetch: FetchFunction = () => {
      sent.push(performance.now() - start);
      if (sent.length > 1) return Promise.resolve(Response.json([thing]));
      return new Promise((resolve) => (respond = resolve));
    };
    const things = createThings({
      fetch,
      rateLimit: 1,
      timeout: 5 * MINUTE,
      totalTimeout: 9 * MINUTE,
    });
    const first = errorOf(things.list({ totalTimeout: MINUTE }));
    const second = things.list();
    await vi.advanceTimersByTimeAsync(MINUTE - 1_000);
    respond(new Response("", { status: 429, headers: { "retry-after": "30" } }));
    await first;
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await second;
    expect(sent).toHaveLength(2);
    // The pause ends after 89 s, and calls resume within a tenth more. The next permit would be free after two minutes.
    expect(sent[1]).toBeGreaterThanOrEqual(89_000);
    expect(sent[1]).toBeLessThanOrEqual(93_000);
  });
});

describe("while a service asks all calls to wait longer than the time of a call", () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-23T08:00:00Z") }));
  afterEach(() => void vi.useRealTimers());

  const limited = (): Response =>
    new Response("", { status: 429, headers: { "retry-after": "60" } });

  test("a new call is not sent, and names the time to retry", async () => {
    let sent = 0;
    const fetch: FetchFunction = async () => (sent++, limited());
    const things = createThings({ fetch, totalTimeout: 10_000 });
    await errorOf(things.list());
    await vi.advanceTimersByTimeAsync(5_000);
    const error = await errorOf<ApiError>(things.list());
    expect(sent).toBe(1);
    expect(error).toMatchObject({ status: 429, outcome: "not_sent", attempts: [] });
    expect(error.retryAt).toEqual(new Date("2026-11-23T08:01:00Z"));
    expect(error.message).toBe(
      "things.list (GET /v1/things) was not sent, because another call failed with 429. " +
        "The server asks to wait: call again after 2026-11-23T08:01:00.000Z.",
    );
  });

  test("a call that failed for another reason keeps that reason, and names the time to retry", async () => {
    const responses = [new Response("", { status: 503 }), limited()];
    const fetch: FetchFunction = async () => responses.shift() ?? Response.json([thing]);
    const things = createThings({
      fetch,
      totalTimeout: 10_000,
      retry: { baseDelay: 5_000, maxDelay: 5_000 },
    });
    vi.spyOn(Math, "random").mockReturnValue(0.9);
    try {
      const first = errorOf<ApiError>(things.list());
      await vi.advanceTimersByTimeAsync(0);
      await errorOf(things.list());
      await vi.advanceTimersByTimeAsync(9_000);
      const error = await first;
      expect(error).toMatchObject({
        status: 503,
        outcome: "unknown",
        attempts: [{ status: 503, wait: undefined, reason: "no time is left for another attempt" }],
      });
      expect(error.retryAt).toEqual(new Date("2026-11-23T08:01:00Z"));
    } finally {
      vi.restoreAllMocks();
    }
  });
});
