import { afterEach, describe, expect, test, vi } from "vitest";
import { type ApiError, type CallError, type FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

const MINUTE = 300;

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
      if (now >= window.start + MINUTE) window = { start: now, count: 0 };
      const isOver = ++window.count > perMinute;
      statuses.push(isOver ? 429 : 200);
      times.push(now);
      // Each response needs a moment, so that several requests are in progress.
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (isOver)
        return new Response(body, {
          status: 429,
          headers: headers?.(window.start + MINUTE - now) ?? {},
        });
      return method === "GET" ? Response.json([thing]) : Response.json(thing, { status: 201 });
    },
  };
}

const seconds = (left: number): string => String(left / 1_000);

describe("a 429 is not an outage", () => {
  test.for([
    ["with Retry-After", { headers: (left: number) => ({ "retry-after": seconds(left) }) }],
    ["with RateLimit-Reset", { headers: () => ({ "ratelimit-reset": "1" }) }],
    ["with a wait in the body", { body: `{"come_back_in_ms":${MINUTE}}` }],
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

  test("after a success, the wait is again the one that the service names", async () => {
    vi.useFakeTimers();
    let count = 0;
    const fetch: FetchFunction = async () =>
      ++count % 2 === 1
        ? new Response("", { status: 429, headers: { "retry-after": "0.001" } })
        : Response.json([thing]);
    const things = createThings({ fetch, retry: DEFAULTS });
    const calls = (async () => {
      for (let call = 0; call < 10; call++) await things.list();
    })();
    // Ten times the wait plus its random part of up to a second.
    await vi.advanceTimersByTimeAsync(10 * 1_001);
    await calls;
    expect(count).toBe(20);
  });
});

describe("a 429 pauses all calls of a client", () => {
  test("a call that is made during the pause is sent after it", async () => {
    const service = limited(1, { headers: (left) => ({ "retry-after": seconds(left) }) });
    const things = createThings({ fetch: service.fetch });
    await things.list();
    const held = things.list();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const sent = service.times.length;
    const late = things.list({ totalTimeout: 5_000 });
    await held;
    expect(service.times[sent]).toBeGreaterThanOrEqual(service.times[0]! + MINUTE - 2);
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
