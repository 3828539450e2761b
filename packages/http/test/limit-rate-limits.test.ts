import { afterEach, describe, expect, test, vi } from "vitest";
import { createRateLimits, type RateLimits } from "../src/limit/rate-limits.ts";
import type { RuledResponse } from "../src/limit/rule.ts";
import { createHolder } from "./holder.ts";
import {
  checkRateLimit,
  rateLimits,
  type RateLimitOption,
  type SharedCounter,
} from "../src/limit/rate-limit-option.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
vi.setConfig({ testTimeout: 5_000 });
const forever = new AbortController().signal;
const alone = { countsWritesApart: false, readOwner: () => "the owner" };
/** Sends a request with this method, which ends with the response. */
function sendOne(limits: RateLimits, method: string, response?: RuledResponse): void {
  const permits = limits[method === "GET" ? "reads" : "writes"];
  void permits.takeAtOnce({ signal: () => forever });
  permits.release({ isUsed: true, response });
}
const says = {
  status: 200,
  headers: new Headers({
    "ratelimit-limit": "9",
    "ratelimit-remaining": "4",
    "ratelimit-reset": "30",
  }),
};

afterEach(() => void vi.useRealTimers());

describe("a limit that no option sets", () => {
  test("is learned for all requests together", async () => {
    const limits = createRateLimits(undefined, alone);
    sendOne(limits, "GET", says);
    expect(limits.writes.state()).toMatchObject({ limit: 9, left: 4 });
    expect(limits.state().reads).toEqual(limits.state().writes);
  });

  test("is learned separately for reads and writes if the service counts them separately", async () => {
    const limits = createRateLimits(undefined, { ...alone, countsWritesApart: true });
    sendOne(limits, "DELETE", says);
    expect(limits.state()).toMatchObject({ reads: { limit: undefined }, writes: { left: 4 } });
  });

  test.each([false, true])("is not learned with rateLimit: false", async (countsWritesApart) => {
    const limits = createRateLimits(false, { ...alone, countsWritesApart });
    sendOne(limits, "GET", says);
    expect(limits.state().reads).toMatchObject({ limit: undefined, left: undefined });
  });
});

describe("a limit that an option sets", () => {
  test("is a number of requests a minute", async () => {
    vi.useFakeTimers();
    const limits = createRateLimits(2, alone);
    sendOne(limits, "GET");
    sendOne(limits, "PUT");
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(limits.reads.state()).toMatchObject({ limit: 2, left: 0, source: "option" });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(limits.reads.state()).toMatchObject({ left: 2 });
  });

  test("is narrower if the service says that less is left", async () => {
    const limits = createRateLimits(600, alone);
    sendOne(limits, "GET", says);
    expect(limits.reads.state()).toMatchObject({ limit: 600, left: 4 });
  });
});

describe("a limit that processes share", () => {
  function createShared(
    option: { requests: number; window?: number } | { reads: number; writes: number },
    readOwner: () => string = () => "the owner",
  ) {
    const taken: SharedCounter[] = [];
    const blocked: [SharedCounter, number][] = [];
    const shared = {
      take: async (counter: SharedCounter) => (taken.push(counter), 0),
      block: async (counter: SharedCounter, ms: number) => void blocked.push([counter, ms]),
    };
    const limits = createRateLimits({ ...option, shared }, { countsWritesApart: false, readOwner });
    const take = (method = "GET") =>
      createHolder(limits[method === "GET" ? "reads" : "writes"]).take({
        priority: "normal",
        signal: forever,
      });
    return { limits, taken, blocked, take };
  }

  test("has another key when the credential changes, and hashes each credential once", async () => {
    let owner = "first";
    const digest = vi.spyOn(crypto.subtle, "digest");
    const { taken, take } = createShared({ requests: 1_000, window: 1_000 }, () => owner);
    await take();
    await take();
    owner = "second";
    await take();
    expect(new Set(taken.map(({ key }) => key)).size).toBe(2);
    expect(taken[0]).toEqual(taken[1]);
    expect(digest).toHaveBeenCalledTimes(2);
    digest.mockRestore();
  });

  test("lets one process use all of it within a tenth of the window", async () => {
    // A real hash would take real time, which the fake timers do not advance.
    const digest = vi.spyOn(crypto.subtle, "digest").mockResolvedValue(new ArrayBuffer(32));
    vi.useFakeTimers();
    const { taken, take } = createShared({ requests: 60 });
    for (let count = 0; count < 60; count++) void take();
    await vi.advanceTimersByTimeAsync(0);
    const start = performance.now();
    while (taken.length < 60 && performance.now() - start < 10_000)
      await vi.advanceTimersByTimeAsync(10);
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(MINUTE / 10 - 200);
    expect(took).toBeLessThan(MINUTE / 10 + 200);
    digest.mockRestore();
  });

  test("is blocked under the same key", async () => {
    const { limits, taken, blocked, take } = createShared({ requests: 60 });
    await take();
    limits.reads.rejected(1_500);
    await vi.waitFor(() => expect(blocked).toEqual([[taken[0], 1_500]]));
  });
});

describe("the option rateLimit", () => {
  const shared = { take: async () => 0, block: async () => undefined };

  test.each<[RateLimitOption]>([
    [false],
    [1],
    [{ requests: 1 }],
    [{ reads: 1, writes: 2 }],
    [{ requests: 1, window: 1 }],
    [{ requests: 1, window: DAY }],
    [{ requests: 1, shared }],
    [rateLimits.console],
    [rateLimits.hostedConsole],
    [rateLimits.ledger],
    [rateLimits.mapper],
    [rateLimits.mobile],
  ])("accepts %j", (option) => {
    expect(checkRateLimit(option)).toEqual(option);
  });

  const example = "false, a number of requests a minute, or limits such as rateLimits.mobile";
  const count = (name: string, given: string) =>
    `rateLimit.${name} must be an integer from 1 up, in requests for each window, or rateLimit must be false; it is ${given}.`;
  const oneOrBoth =
    "rateLimit must have either { requests }, if the service counts all requests together, or both { reads, writes }.";

  test.each<[unknown, string]>([
    [null, `rateLimit must be ${example}; it is null.`],
    ["600", `rateLimit must be ${example}; it is `],
    [[600], `rateLimit must be ${example}; it is `],
    [0, count("requests", "0")],
    [{ requests: "5" }, count("requests", "a string")],
    [{ reads: 5 }, oneOrBoth],
    [{ reads: 5, writes: 0 }, count("writes", "0")],
    [{ requests: 5, reads: 5 }, oneOrBoth],
    [{ requests: 5, windows: 5 }, 'rateLimit has no option "windows". Did you mean "window"?'],
    [{ requests: 5, share: 5 }, '"shared"'],
    [{ requests: 5, window: 0 }, "rateLimit.window must be"],
    [{ requests: 5, window: DAY + 1 }, "milliseconds"],
    [
      { requests: 5, shared: {} },
      "rateLimit.shared must be the result of redisRateLimit or postgresRateLimit; it is an object.",
    ],
    [{ requests: 5, shared: { take: shared.take } }, "rateLimit.shared must be the result"],
  ])("rejects %j", (option, message) => {
    const check = () => checkRateLimit(option as RateLimitOption);
    expect(check).toThrow(TypeError);
    expect(check).toThrow(message);
  });

  test("has constants for the limits that deployments were seen to have", () => {
    expect(rateLimits).toEqual({
      console: { requests: 6_000 },
      hostedConsole: { requests: 600 },
      ledger: { requests: 100 },
      mapper: { requests: 60 },
      mobile: { reads: 600, writes: 120 },
    });
  });
});
