import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ApiError, FetchFunction, SharedCounter } from "../src/internal.ts";
import { createSharedPermits } from "../src/limit/shared-permits.ts";
import { headersRule } from "../src/limit/headers-rule.ts";
import { createThings, errorOf, thing, type ThingsOptions } from "./things.ts";

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

const create = (options: ThingsOptions) => createThings({ totalTimeout: 2 ** 31 - 1, ...options });

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

test("a background call that gets a permit meanwhile is not sent beside the one that tests", async () => {
  const sent: string[] = [];
  const fetch: FetchFunction = async (_, { headers }) => {
    const name = headers.get("x-name") ?? "";
    sent.push(name);
    const isTest = name === "urgent" && sent.length > 2;
    await new Promise((resolve) => setTimeout(resolve, isTest ? MINUTE : 1_000));
    if (name !== "urgent" || isTest) return Response.json([thing]);
    return new Response("", { status: 429, headers: { "retry-after": "3600" } });
  };
  // Background calls are 350 s apart, which is within the minute of the test.
  const rateLimit = { requests: 3, window: 3 * 350_000 };
  const things = create({ fetch, rateLimit, timeout: 2 * MINUTE });
  const list = (name: string, priority?: "background") =>
    things.list({ headers: { "x-name": name }, priority });

  const calls = [list("early", "background"), list("late", "background"), list("urgent")];
  await vi.advanceTimersByTimeAsync(355_000);
  expect(sent).toEqual(["early", "urgent", "urgent"]);
  await vi.advanceTimersByTimeAsync(350_000 + MINUTE);
  expect(sent).toEqual(["early", "urgent", "urgent", "late"]);
  await Promise.all(calls);
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

  test("counts the first call of a process under its own credential", async () => {
    hashed.length = 0;
    const { store } = createStore();
    const fetch: FetchFunction = async () => Response.json([thing]);
    const apiKey = async (): Promise<string> => "key-of-a-vault";
    const call = createThings({ fetch, apiKey, rateLimit: { requests: 60, shared: store } }).list();
    await vi.advanceTimersByTimeAsync(10);
    await call;
    expect(hashed).toEqual(["https://things.test key-of-a-vault"]);
  });
});
