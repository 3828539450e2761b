import { afterEach, describe, expect, test, vi, beforeEach } from "vitest";
import type { ApiError, CallError, FetchFunction, SharedCounter } from "../src/internal.ts";
import { createThings, errorOf, thing, type ThingsOptions } from "./things.ts";
import { createSharedPermits } from "../src/limit/shared-permits.ts";
import { headersRule } from "../src/limit/headers-rule.ts";

const WINDOW = 300;

afterEach(() => void vi.useRealTimers());

/** Creates a service that accepts a number of requests within a short "minute", and names the wait in these headers. */
function limited(
  perMinute: number,
  {
    headers,
    body = "",
  }: { headers?: (left: number) => Record<string, string>; body?: string } = {},
): { fetch: FetchFunction; statuses: number[]; times: number[] } {
  const statuses: number[] = [];
  const times: number[] = [];
  let window = { start: -Infinity, count: 0 };
  return {
    statuses,
    times,
    fetch: async (_url, { method }) => {
      const now = performance.now();
      if (now >= window.start + WINDOW) window = { start: now, count: 0 };
      const isOver = ++window.count > perMinute;
      statuses.push(isOver ? 429 : 200);
      times.push(now);
      // Each response needs a moment, so that several requests are in progress.
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (isOver)
        return new Response(body, {
          status: 429,
          headers: headers?.(window.start + WINDOW - now) ?? {},
        });
      return method === "GET" ? Response.json([thing]) : Response.json(thing, { status: 201 });
    },
  };
}

const inSeconds = (left: number): string => String(left / 1_000);

describe("a 429 is not an outage", () => {
  test.for([
    ["with Retry-After", { headers: (left: number) => ({ "retry-after": inSeconds(left) }) }],
    ["with RateLimit-Reset", { headers: () => ({ "ratelimit-reset": "1" }) }],
    ["with a wait in the body", { body: `{"come_back_in_ms":${WINDOW}}` }],
    ["without a hint", {}],
  ] as const)("300 calls, 64 at once, complete %s", async ([, says]) => {
    vi.useFakeTimers();
    const service = limited(120, says);
    const things = createThings({ fetch: service.fetch, retry: { baseDelay: 20, maxDelay: 100 } });
    let left = 300;
    const worker = async (): Promise<void> => {
      while (left-- > 0) await things.create({ name: "one" });
    };
    const workers = Promise.all(Array.from({ length: 64 }, worker));
    await vi.advanceTimersByTimeAsync(60_000);
    await workers;
    expect(service.statuses.filter((status) => status === 200)).toHaveLength(300);
  });

  test("429s use no attempts: a call succeeds after more 429s than it has attempts", async () => {
    let count = 0;
    const fetch: FetchFunction = async () =>
      ++count <= 6 ? new Response("", { status: 429 }) : Response.json([thing]);
    expect(await createThings({ fetch, retry: { attempts: 2, baseDelay: 1 } }).list()).toEqual([
      thing,
    ]);
    expect(count).toBe(7);
  });

  test("429s do not use the retry budget", async () => {
    let isLimited = true;
    let failing = 0;
    const fetch: FetchFunction = async () => {
      if (isLimited) return new Response("", { status: 429 });
      return ++failing % 2 === 1 ? new Response("", { status: 503 }) : Response.json([thing]);
    };
    const things = createThings({ fetch, retry: { baseDelay: 1, maxDelay: 1 } });
    await Promise.all(
      Array.from({ length: 200 }, () => things.list({ totalTimeout: 100 }).catch(() => undefined)),
    );
    isLimited = false;
    expect(await things.list()).toEqual([thing]);
  });
});

describe("a client never polls in a busy loop if the service names a wait of a few milliseconds", () => {
  const DEFAULTS = { baseDelay: 300, maxDelay: 10_000 };

  test.each([
    ["Retry-After: 0.001", { "retry-after": "0.001" }, ""],
    ["a wait of 1 ms in the body", { "retry-after": "0" }, '{"come_back_in_ms":1}'],
  ])("%s", async (_, headers, body) => {
    vi.useFakeTimers();
    const times: number[] = [];
    const begin = performance.now();
    const fetch: FetchFunction = async () => {
      times.push(performance.now() - begin);
      return new Response(body, { status: 429, headers });
    };
    const things = createThings({ fetch, retry: DEFAULTS });
    const error = errorOf<ApiError>(things.create({ name: "one" }));
    await vi.advanceTimersByTimeAsync(121_000);
    expect(await error).toMatchObject({ status: 429, outcome: "rejected" });
    expect(times.filter((time) => time < 2_000).length).toBeLessThan(5);
    expect(times.length).toBeLessThan(25);
    // Each wait is at least as long as half the doubled wait that begins with 300 ms.
    const waits = times.slice(2).map((time, index) => time - times[index + 1]!);
    for (const [index, wait] of waits.slice(0, 5).entries())
      expect(wait).toBeGreaterThanOrEqual(600 * 2 ** index);
  });
});

describe("a 429 pauses all calls of a client", () => {
  test("a call that is made during the pause is sent after it", async () => {
    const service = limited(1, { headers: (left) => ({ "retry-after": inSeconds(left) }) });
    const things = createThings({ fetch: service.fetch });
    await things.list();
    const held = things.list();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const sent = service.times.length;
    const late = things.list({ totalTimeout: 5_000 });
    await held;
    expect(service.times[sent]).toBeGreaterThanOrEqual(service.times[0]! + WINDOW - 2);
    await late;
  });

  test("reads do not wait for writes if the service counts them separately", async () => {
    const fetch: FetchFunction = async (_url, { method }) =>
      method === "GET"
        ? Response.json([thing])
        : new Response("", { status: 429, headers: { "retry-after": "30" } });
    const things = createThings({
      fetch,
      totalTimeout: 1_000,
      service: { countsWritesApart: true },
    });
    await errorOf(things.create({ name: "one" }));
    expect(await things.list()).toEqual([thing]);
  });

  test("the signal ends the wait, and nothing is sent", async () => {
    const service = limited(1, { headers: () => ({ "retry-after": "30" }) });
    const things = createThings({ fetch: service.fetch });
    await things.list();
    const first = errorOf<CallError>(things.list({ signal: AbortSignal.timeout(60) }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const error = await errorOf<CallError>(things.list({ signal: AbortSignal.timeout(40) }));
    expect(error).toMatchObject({ name: "AbortError", outcome: "not_sent", attempts: [] });
    expect(await first).toMatchObject({ name: "AbortError", outcome: "rejected" });
    expect(service.times).toHaveLength(2);
  });

  test("totalTimeout ends a wait without a hint, with the last response of the service", async () => {
    const fetch: FetchFunction = async () => new Response("", { status: 429 });
    const things = createThings({
      fetch,
      totalTimeout: 200,
      retry: { baseDelay: 10, maxDelay: 40 },
    });
    const before = performance.now();
    const error = await errorOf<ApiError>(things.create({ name: "one" }));
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(error).toMatchObject({ name: "ApiError", status: 429, outcome: "rejected" });
    expect(error.attempts.at(-1)?.wait).toBeUndefined();
  });
});

describe("many clients with the same wait", () => {
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
});

describe("a wait that is too long to believe", () => {
  // A service can name any wait. No call believes it for more than five minutes without asking again.

  const MINUTE = 60_000;
  const LONGEST_PAUSE = 5 * MINUTE;
  const HOUR = 60 * MINUTE;

  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  /** Creates a service that rejects requests until a time, naming a wait of a year, and the times of all requests. */
  function serveAfter(opensAt: number, takes = 10): { fetch: FetchFunction; sent: number[] } {
    const sent: number[] = [];
    const start = performance.now();
    const fetch: FetchFunction = async () => {
      const now = performance.now() - start;
      sent.push(now);
      await new Promise((resolve) => setTimeout(resolve, takes));
      if (now >= opensAt) return Response.json([thing]);
      return new Response("", { status: 429, headers: { "retry-after": String(365 * 86_400) } });
    };
    return { fetch, sent };
  }

  const create = (options: ThingsOptions) =>
    createThings({ totalTimeout: 2 ** 31 - 1, ...options });

  describe("a 429 that names a wait of a year", () => {
    test("ends the call at once, with the time that the service named", async () => {
      const { fetch, sent } = serveAfter(Infinity);
      const failed = errorOf<ApiError>(create({ fetch }).list());
      await vi.advanceTimersByTimeAsync(1_000);
      const error = await failed;
      expect(error.retryAt?.getTime()).toBeGreaterThan(364 * 24 * HOUR);
      expect(error.attempts).toMatchObject([
        { status: 429, reason: "the server asks to wait longer than the call may last" },
      ]);
      expect(sent).toHaveLength(1);
    });

    test("stops the client for five minutes, and the first call after them is sent alone", async () => {
      const { fetch, sent } = serveAfter(MINUTE, 1_000);
      const things = create({ fetch });
      const failed = errorOf(things.list());
      await vi.advanceTimersByTimeAsync(LONGEST_PAUSE + 40_000);
      await failed;
      sent.length = 0;
      const calls = Promise.all([1, 2, 3, 4].map(() => things.list()));
      await vi.advanceTimersByTimeAsync(999);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1_000);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(sent).toHaveLength(4);
      await calls;
    });
  });

  test("a window of an hour without permits is tested by one request after five minutes", () => {
    const rule = headersRule();
    const says = (left: number, reset: number) => ({
      status: 200,
      headers: new Headers({
        "ratelimit-limit": "50",
        "ratelimit-remaining": String(left),
        "ratelimit-reset": String(reset),
      }),
    });
    rule.ended(says(0, 3_600), 0);
    expect(rule.free(LONGEST_PAUSE - 1, 0)).toBe(0);
    expect(rule.untilFree(0, 0)).toBe(LONGEST_PAUSE);
    expect(rule.free(LONGEST_PAUSE, 0)).toBe(1);
    expect(rule.free(LONGEST_PAUSE, 1)).toBe(0);
    expect(rule.untilFree(LONGEST_PAUSE, 1)).toBe(HOUR - LONGEST_PAUSE);
    rule.ended(says(0, 3_300), LONGEST_PAUSE);
    expect(rule.free(LONGEST_PAUSE + 1, 0)).toBe(0);
    rule.ended(says(40, 3_000), 2 * LONGEST_PAUSE);
    expect(rule.free(2 * LONGEST_PAUSE + 1, 0)).toBe(40);
  });

  describe("a limit that processes share", () => {
    // A real hash would take real time, which the fake timers do not advance.
    const digest = vi.fn(async (_: unknown, data: unknown) => {
      hashed.push(new TextDecoder().decode(data as Uint8Array));
      return new ArrayBuffer(32);
    });
    const hashed: string[] = [];
    beforeEach(() => void vi.spyOn(crypto.subtle, "digest").mockImplementation(digest as never));
    afterEach(() => void vi.restoreAllMocks());

    function createStore(wait: () => number = () => 0) {
      const taken: SharedCounter[] = [];
      const blocked: number[] = [];
      const store = {
        take: async (budget: SharedCounter) => (taken.push(budget), wait()),
        block: async (_: SharedCounter, milliseconds: number) => void blocked.push(milliseconds),
      };
      return { store, taken, blocked };
    }
    const owner = { readOwner: () => "the owner", kind: "requests", limit: 60, window: MINUTE };

    test("is blocked for five minutes at most, and never for less than before", async () => {
      const { store, blocked } = createStore();
      const shared = createSharedPermits(store, owner);
      shared.block(HOUR);
      shared.block(1_000);
      await vi.advanceTimersByTimeAsync(LONGEST_PAUSE);
      shared.block(1_000);
      await vi.advanceTimersByTimeAsync(0);
      expect(blocked).toEqual([LONGEST_PAUSE, 1_000]);
    });

    test("is tested by one request in five minutes if its store names a wait of a year", async () => {
      const { store } = createStore(() => 365 * 24 * HOUR);
      const shared = createSharedPermits(store, owner);
      expect((await shared.take()).wait).toBe(LONGEST_PAUSE);
      await vi.advanceTimersByTimeAsync(LONGEST_PAUSE);
      expect((await shared.take()).isTaken).toBe(true);
      expect((await shared.take()).wait).toBe(LONGEST_PAUSE);
    });

    test("is waited for as long as its own window, even if that is a day", async () => {
      const { store } = createStore(() => 23 * HOUR);
      const shared = createSharedPermits(store, { ...owner, window: 24 * HOUR });
      expect((await shared.take()).wait).toBe(23 * HOUR);
    });

    test("counts calls with retry: false, which do not wait for it", async () => {
      const { store, taken } = createStore(() => HOUR);
      const fetch: FetchFunction = async () => Response.json([thing]);
      const rateLimit = { requests: 60, shared: store };
      await createThings({ fetch, rateLimit, retry: false }).list();
      await vi.advanceTimersByTimeAsync(0);
      expect(taken).toHaveLength(1);
    });
  });
});
