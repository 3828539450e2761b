import { afterEach, describe, expect, test, vi, beforeEach } from "vitest";
import { createRateLimits } from "../src/limit/rate-limits.ts";
import { createHolder } from "./holder.ts";
import {
  checkRateLimit,
  rateLimits,
  type RateLimitOption,
} from "../src/limit/rate-limit-option.ts";
import {
  bindClient,
  type ClientMethods,
  type FetchFunction,
  type SharedCounter,
  type SharedRateLimit,
} from "../src/internal.ts";
import { createThingsTransport, type ThingsOptions } from "./things.ts";
import { guardStore } from "../src/limit/guard-store.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
vi.setConfig({ testTimeout: 5_000 });
const forever = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

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

/** Returns the name of a budget: the first half of a SHA-256. */
async function nameOf(owner: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(owner));
  return `${Buffer.from(digest).toString("hex").slice(0, 32)}:requests`;
}

describe("a client", () => {
  interface Client extends ClientMethods<Client, ThingsOptions> {}
  const create = (options: ThingsOptions, parent?: ThingsOptions["parent"]): Client =>
    bindClient(createThingsTransport({ ...options, ...(parent && { parent }) }), options, create);
  const get = { method: "GET", path: "/v1/things" } as const;
  const fetch: FetchFunction = async () => Response.json([]);

  test("returns the state of its limits, which withOptions shares unless other limits are configured", async () => {
    const client = create({ fetch, rateLimit: 5 });
    const same = client.withOptions({ timeout: 5 });
    const other = client.withOptions({ rateLimit: 7 });
    const another = client.withOptions({ apiKey: "another" });
    await client.request(get);
    await same.request(get);
    await other.withOptions({ timeout: 5 }).request(get);
    const leftOf = ({ rateLimit }: Client) => [
      rateLimit.state().reads.limit,
      rateLimit.state().reads.left,
    ];
    expect([client, same, other, another].map(leftOf)).toEqual([
      [5, 3],
      [5, 3],
      [7, 6],
      [5, 5],
    ]);
    expect(client.rateLimit.state().reads.source).toBe("option");
  });

  test("shares a store with clients of the same server and key, under a name that shows neither", async () => {
    const budgets: SharedCounter[] = [];
    const shared = {
      take: async (budget: SharedCounter) => (budgets.push(budget), 0),
      block: async () => undefined,
    };
    const limit = { requests: 5, shared };
    const client = create({ fetch, rateLimit: limit, apiKey: "one" });
    const others: ThingsOptions[] = [
      { rateLimit: { requests: 7, window: 500, shared } },
      { apiKey: "two" },
      { baseUrl: "https://other.test" },
      { apiKey: () => "three" },
    ];
    for (const each of [client, ...others.map((options) => client.withOptions(options))])
      await each.request(get);
    expect(budgets.map((budget) => [budget.limit, budget.window])).toEqual([
      [5, 60_000],
      [7, 500],
      [5, 60_000],
      [5, 60_000],
      [5, 60_000],
    ]);
    const keys = budgets.map(({ key }) => key);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}:requests$/);
    // A store that processes share requires the same names in each process.
    expect(keys[0]).toBe(await nameOf("https://things.test one"));
    expect(keys[3]).toBe(await nameOf("https://other.test one"));
  });
});

describe("a shared store that is absent", () => {
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
});
