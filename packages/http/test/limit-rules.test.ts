import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { givenRule, createSentCount } from "../src/limit/given-rule.ts";
import { headersRule } from "../src/limit/headers-rule.ts";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { createPermits } from "../src/limit/permits.ts";

const MINUTE = 60_000;
// A count keeps a request for up to a 120th of the window too long.
const SLICE = 500;

describe("the count of sent requests", () => {
  test.each([0, 1, 499, 500, 1_000_000])(
    "counts a request sent at %i for a window, and at most a slice longer",
    (start) => {
      const count = createSentCount(MINUTE);
      count.add(start);
      count.add(start, 2);
      expect(count.within(start + MINUTE - 1)).toBe(3);
      const wait = count.untilFree(start + 1_000);
      expect(wait).toBeGreaterThanOrEqual(MINUTE - 1_000);
      expect(wait).toBeLessThanOrEqual(MINUTE - 1_000 + SLICE);
      expect(count.within(start + 1_000 + wait - 1)).toBe(3);
      expect(count.within(start + 1_000 + wait)).toBe(0);
      expect(count.untilFree(start + 1_000 + wait)).toBe(0);
    },
  );

  test("waits for the oldest request, and still counts the later ones", () => {
    const count = createSentCount(MINUTE);
    count.add(10_000);
    count.add(40_000, 4);
    expect(count.untilFree(50_000)).toBe(20_500);
    expect(count.within(70_500)).toBe(4);
    expect(count.untilFree(70_500)).toBe(30_000);
    expect(count.within(100_500)).toBe(0);
  });

  test("is empty after a pause of many windows, and counts new requests", () => {
    const count = createSentCount(MINUTE);
    for (let at = 0; at < MINUTE; at += SLICE) count.add(at);
    const later = 1_000 * MINUTE;
    expect(count.within(later)).toBe(0);
    count.add(later, 7);
    expect(count.within(later + MINUTE - 1)).toBe(7);
    expect(count.within(later + MINUTE + SLICE)).toBe(0);
  });

  test("is fast after a pause of years, even with a short window", () => {
    const count = createSentCount(120);
    count.add(0);
    const start = performance.now();
    expect(count.within(10 * 365 * 24 * 60 * MINUTE)).toBe(0);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("a configured limit", () => {
  test("has permits except for requests in flight and within a window of their response", () => {
    const rule = givenRule(3, MINUTE);
    expect(rule.limit(0)).toBe(3);
    expect(rule.free(0, 0)).toBe(3);
    expect(rule.free(0, 2)).toBe(1);
    rule.ended({ status: 200, headers: new Headers() }, 1_000);
    expect(rule.free(1_000, 1)).toBe(1);
    rule.ended(undefined, 1_000);
    expect(rule.free(1_000, 1)).toBe(0);
    expect(rule.free(1_000 + MINUTE + SLICE, 0)).toBe(3);
  });

  test("does not count a request that was rejected with a 429", () => {
    const rule = givenRule(3, MINUTE);
    rule.ended({ status: 429, headers: new Headers() }, 0);
    expect(rule.free(0, 0)).toBe(3);
  });

  test("requires a wait only without a free permit, and only for one that time frees", () => {
    const rule = givenRule(2, MINUTE);
    rule.ended(undefined, 0);
    expect(rule.untilFree(0, 0)).toBe(0);
    rule.ended(undefined, 10_000);
    expect(rule.untilFree(10_000, 0)).toBe(MINUTE - 10_000 + SLICE);
    // Both requests are in flight: their responses free the permits, not time.
    expect(givenRule(2, MINUTE).untilFree(0, 2)).toBe(0);
  });

  test("is spread over its window for background requests", () => {
    expect(givenRule(120, MINUTE).interval(0, 5)).toBe(500);
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

const WINDOW = 60_000;
const forever = new AbortController().signal;

test("no window of a service receives more than the limit, at any start and with any latencies", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 60 }),
      async (limit, latencies, gaps) => {
        const clock = createVirtualClock(0);
        const permits = createPermits({ rules: [givenRule(limit, WINDOW)], clock });
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
        await clock.advance(gaps.length * 2 * WINDOW);
        await all;
        expect(arrivals).toHaveLength(gaps.length);
        const inWindow = (start: number) =>
          arrivals.filter((at) => at >= start && at < start + WINDOW).length;
        expect(Math.max(...arrivals.map(inWindow))).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 60 },
  );
});
