import { describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { createPermits, type PermitsOptions } from "../src/limit/permits.ts";
import type { SharedPermits } from "../src/limit/shared-permits.ts";
import { givenRule, createSentCount } from "../src/limit/given-rule.ts";
import { headersRule } from "../src/limit/headers-rule.ts";
import { createHolder } from "./holder.ts";
import type { Priority } from "../src/limit/queue.ts";
import fc from "fast-check";

const MINUTE = 60_000;
// A count keeps a request for up to a 120th of the window too long.
const SLICE = 500;
// A queue without a wait would spin.
vi.setConfig({ testTimeout: 5_000 });

const forever = new AbortController().signal;

/** Creates permits with their own clock, and records the name and time of each request that gets one. */
function create(limit: number, options: Partial<PermitsOptions> = {}) {
  const clock = createVirtualClock(0);
  const permits = createPermits({ rules: [givenRule(limit, MINUTE)], clock, ...options });
  const holder = createHolder(permits);
  const sent: [name: string, at: number][] = [];
  const join = (name: string, priority: Priority = "normal", signal: AbortSignal = forever) =>
    holder.take({ priority, signal }).then(() => void sent.push([name, clock.now()]));
  return { clock, permits, holder, sent, join };
}

describe("a request that does not wait", () => {
  test("uses a permit while one is free, and releases it with the response", async () => {
    const { permits, holder } = create(2);
    expect([1, 2, 3].map(() => holder.tryTake("normal"))).toEqual([true, true, false]);
    expect(permits.state()).toMatchObject({ inFlight: 2, left: 0 });
    await holder.ended();
    expect(permits.state()).toMatchObject({ inFlight: 1, left: 0 });
    await holder.giveBack();
    expect(permits.state()).toMatchObject({ inFlight: 0, left: 1 });
    expect(holder.tryTake("normal")).toBe(true);
  });

  test("is spread in the background, while other requests pass", async () => {
    const { clock, holder } = create(60);
    expect(holder.tryTake("background")).toBe(true);
    expect(holder.tryTake("background")).toBe(false);
    expect(holder.tryTake("normal")).toBe(true);
    await clock.advance(999);
    expect(holder.tryTake("background")).toBe(false);
    await clock.advance(1);
    expect(holder.tryTake("background")).toBe(true);
  });

  test("is counted even if no permit is free", () => {
    const { permits, holder } = create(2);
    holder.count();
    holder.count();
    holder.count();
    expect(permits.state()).toMatchObject({ inFlight: 3, left: 0 });
    expect(holder.tryTake("normal")).toBe(false);
  });
});

describe("waiting requests", async () => {
  test("are sent once each, when the requests before them are a window old", async () => {
    const { clock, permits, holder, sent, join } = create(2);
    for (const name of ["a", "b", "c", "d", "e"]) void join(name).then(() => holder.ended());
    await clock.advance(0);
    expect(sent).toEqual([
      ["a", 0],
      ["b", 0],
    ]);
    await clock.advance(MINUTE + SLICE);
    expect(sent).toHaveLength(2);
    await clock.advance(1);
    expect(sent.slice(2)).toEqual([
      ["c", MINUTE + SLICE + 1],
      ["d", MINUTE + SLICE + 1],
    ]);
    expect(permits.state()).toMatchObject({ inFlight: 0, waiting: 1 });
    await clock.advance(2 * MINUTE);
    expect(sent).toHaveLength(5);
    expect(clock.pending).toBe(0);
  });

  test("are sent as soon as a response says that permits are free", async () => {
    const { clock, holder, sent, join } = create(0, { rules: [headersRule()] });
    const says = (left: number, reset: number) => ({
      status: 200,
      headers: new Headers({
        "ratelimit-limit": "5",
        "ratelimit-remaining": String(left),
        "ratelimit-reset": String(reset),
      }),
    });
    holder.tryTake("normal");
    holder.tryTake("normal");
    await holder.ended(says(0, 10));
    void join("next");
    await clock.advance(100);
    expect(sent).toEqual([]);
    await holder.ended(says(3, 40));
    await clock.advance(0);
    expect(sent).toEqual([["next", 100]]);
  });

  test("wait for the slowest of several rules, and have the permits of the strictest", async () => {
    const rules = [givenRule(5, MINUTE), givenRule(2, 2 * MINUTE)];
    const { clock, permits, holder, sent, join } = create(0, { rules });
    expect(permits.state()).toMatchObject({ limit: 5, left: 2 });
    for (const name of ["a", "b", "c"]) void join(name).then(() => holder.ended());
    await clock.advance(2 * MINUTE);
    expect(sent).toHaveLength(2);
    await clock.advance(2 * SLICE + 1);
    expect(sent).toHaveLength(3);
  });

  test("in the background do not delay other requests, which do not change the interval", async () => {
    const { clock, sent, join } = create(60);
    for (const name of ["a", "b"]) void join(name, "background");
    await clock.advance(500);
    void join("urgent");
    await clock.advance(1_000);
    expect(sent).toEqual([
      ["a", 0],
      ["urgent", 500],
      ["b", 1_001],
    ]);
  });

  test("end when their signal aborts, and the others keep their places", async () => {
    const { clock, permits, holder, sent, join } = create(1);
    void join("first").then(() => holder.ended());
    const controller = new AbortController();
    const gone = join("gone", "normal", controller.signal);
    void join("last");
    await clock.advance(5);
    const reason = new Error("no longer needed");
    controller.abort(reason);
    await expect(gone).rejects.toBe(reason);
    expect(permits.state().waiting).toBe(1);
    await clock.advance(2 * MINUTE);
    expect(sent.map(([name]) => name)).toEqual(["first", "last"]);
  });
});

describe("a permit of a limit that processes share", async () => {
  /** Creates a limit that has no permit for these times, one after the other, and then one every 100 ms. */
  function store(...waits: number[]) {
    const blocked: number[] = [];
    const counted: number[] = [];
    const clock = createVirtualClock(0);
    const asked: number[] = [];
    const shared: SharedPermits = {
      count: () => void counted.push(clock.now()),
      async take() {
        asked.push(clock.now());
        const wait = waits.shift();
        return wait === undefined ? { isTaken: true, wait: 100 } : { isTaken: false, wait };
      },
      block: (milliseconds) => void blocked.push(milliseconds),
    };
    return { ...create(50, { shared, clock }), clock, asked, blocked, counted };
  }

  test("is requested one at a time, at the interval of a process", async () => {
    const { clock, holder, asked } = store();
    const sent: number[] = [];
    for (let count = 0; count < 3; count++)
      void holder.take({ priority: "normal", signal: forever }).then(() => sent.push(clock.now()));
    await clock.advance(1_000);
    expect(sent).toEqual([0, 101, 202]);
    expect(asked).toEqual([0, 101, 202]);
  });

  test("is requested again at the time that the store names", async () => {
    const { clock, permits, holder, asked } = store(700);
    let at: number | undefined;
    void holder.take({ priority: "normal", signal: forever }).then(() => (at = clock.now()));
    await clock.advance(699);
    expect(permits.state()).toMatchObject({ waiting: 1, left: 0, inFlight: 0 });
    await clock.advance(1);
    expect(at).toBeUndefined();
    await clock.advance(1);
    expect(at).toBe(701);
    expect(asked).toEqual([0, 701]);
  });

  test("is not used by a request that ends while the store is asked", async () => {
    const { clock, permits, holder } = store();
    const controller = new AbortController();
    const gone = holder.take({ priority: "normal", signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(gone).rejects.toThrow("gone");
    await clock.advance(0);
    expect(permits.state()).toMatchObject({ inFlight: 0, waiting: 0 });
  });
});

describe("the count of sent requests", () => {
  test("is fast after a pause of years, even with a short window", () => {
    const count = createSentCount(120);
    count.add(0);
    const start = performance.now();
    expect(count.within(10 * 365 * 24 * 60 * MINUTE)).toBe(0);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("a configured limit", () => {
  test("does not count a request that was rejected with a 429", () => {
    const rule = givenRule(3, MINUTE);
    rule.ended({ status: 429, headers: new Headers() }, 0);
    expect(rule.free(0, 0)).toBe(3);
  });
});

describe("a limit in response headers", () => {
  const says = (limit: unknown, left: unknown, reset: unknown) => ({
    status: 200,
    headers: new Headers({
      "ratelimit-limit": String(limit),
      "ratelimit-remaining": String(left),
      "ratelimit-reset": String(reset),
    }),
  });

  test("is unknown before the first response, so that all requests are sent at once", () => {
    const rule = headersRule();
    expect(rule.limit(0)).toBeUndefined();
    expect(rule.free(0, 1_000)).toBe(Infinity);
    expect(rule.untilFree(0, 1_000)).toBe(0);
    expect(rule.interval(0, 1_000)).toBe(0);
    rule.ended(undefined, 0);
    expect(rule.limit(0)).toBeUndefined();
  });

  test("leaves the remaining permits minus the requests in flight until the window ends", () => {
    const rule = headersRule();
    rule.ended(says(100, 40, 30), 1_000);
    expect(rule.limit(1_000)).toBe(100);
    expect(rule.free(1_000, 0)).toBe(40);
    expect(rule.free(30_999, 15)).toBe(25);
    expect(rule.untilFree(11_000, 39)).toBe(0);
    expect(rule.untilFree(11_000, 40)).toBe(20_000);
  });

  test("spreads the remaining requests over the rest of the window", () => {
    const rule = headersRule();
    rule.ended(says(100, 40, 30), 0);
    expect(rule.interval(0, 0)).toBe(750);
    expect(rule.interval(10_000, 20)).toBe(1_000);
    // Nothing is left: the interval is that of one request.
    expect(rule.interval(10_000, 60)).toBe(20_000);
    expect(rule.interval(30_000, 0)).toBe(0);
    expect(rule.interval(40_000, 0)).toBe(0);
  });

  test("leaves the whole limit again when the window has ended", () => {
    const rule = headersRule();
    rule.ended(says(100, 1, 30), 0);
    expect(rule.free(30_000, 0)).toBe(100);
    expect(rule.free(30_000, 30)).toBe(70);
    expect(rule.untilFree(30_000, 30)).toBe(0);
  });

  test("lets one request go first in the minute after a used-up window", () => {
    const rule = headersRule();
    rule.ended(says(100, 0, 30), 0);
    expect(rule.free(29_999, 0)).toBe(0);
    expect(rule.free(30_000, 0)).toBe(1);
    expect(rule.free(30_000, 1)).toBe(0);
    expect(rule.free(30_000 + MINUTE - 1, 0)).toBe(1);
    expect(rule.free(30_000 + MINUTE, 0)).toBe(100);
  });

  test("leaves the smallest remainder of one window, because responses overtake each other", () => {
    const rule = headersRule();
    rule.ended(says(100, 40, 30), 0);
    rule.ended(says(100, 45, 29), 500);
    expect(rule.free(500, 0)).toBe(40);
    // The later of the two ends applies.
    expect(rule.free(29_900, 0)).toBe(40);
    rule.ended(says(90, 30, 31), 500);
    expect(rule.free(500, 0)).toBe(30);
    expect(rule.limit(500)).toBe(90);
    expect(rule.free(31_499, 0)).toBe(30);
    expect(rule.free(31_500, 0)).toBe(90);
  });

  test("is that of a new window if its end is clearly later", () => {
    const rule = headersRule();
    rule.ended(says(100, 0, 30), 0);
    rule.ended(says(100, 80, 31), 501);
    expect(rule.free(501, 0)).toBe(80);
    const other = headersRule();
    other.ended(says(100, 0, 30), 0);
    other.ended(says(100, 80, 31), 500);
    expect(other.free(500, 0)).toBe(0);
  });

  test("is unknown after a response without the headers", () => {
    const rule = headersRule();
    rule.ended(says(100, 0, 30), 0);
    rule.ended({ status: 200, headers: new Headers() }, 100);
    expect(rule.limit(100)).toBeUndefined();
    expect(rule.free(100, 0)).toBe(Infinity);
  });

  test.each([
    ["a limit that is not a number", says("many", 5, 30)],
    ["a negative remainder", says(100, "-1", 30)],
    ["a limit of two numbers", says("100, 100;w=60", 5, 30)],
    ["an end that is not a number", says(100, 5, "soon")],
    ["an end in more than an hour", says(100, 5, 3_601)],
  ])("is not read from %s", (_, response) => {
    const rule = headersRule();
    rule.ended(response, 0);
    expect(rule.limit(0)).toBeUndefined();
    expect(rule.free(0, 50)).toBe(Infinity);
  });

  test.each(["limit", "remaining", "reset"])("is not read if RateLimit-%s is missing", (name) => {
    const response = says(100, 5, 30);
    response.headers.delete(`ratelimit-${name}`);
    const rule = headersRule();
    rule.ended(response, 0);
    expect(rule.limit(0)).toBeUndefined();
  });
});

test("no window of a service receives more than the limit, at any start and with any latencies", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 60 }),
      async (limit, latencies, gaps) => {
        const clock = createVirtualClock(0);
        const permits = createPermits({ rules: [givenRule(limit, MINUTE)], clock });
        const arrivals: number[] = [];
        const sendOne = async (latency: number): Promise<void> => {
          await permits.take({ priority: "normal", deadline: { signal: () => forever } });
          await clock.sleep(latency / 2);
          arrivals.push(clock.now());
          await clock.sleep(latency / 2);
          permits.release({ isUsed: true, response: undefined });
        };
        const all = Promise.all(
          gaps.map(async (gap, index) => {
            await clock.sleep(gap);
            await sendOne(latencies[index % latencies.length] ?? 0);
          }),
        );
        await clock.advance(gaps.length * 2 * MINUTE);
        await all;
        expect(arrivals).toHaveLength(gaps.length);
        const inWindow = (start: number) =>
          arrivals.filter((at) => at >= start && at < start + MINUTE).length;
        expect(Math.max(...arrivals.map(inWindow))).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 60 },
  );
});
