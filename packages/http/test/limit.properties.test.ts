import fc from "fast-check";
import { expect, test } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/virtual-clock.ts";
import { createPermits } from "../src/limit/permits.ts";
import { givenRule } from "../src/limit/given-rule.ts";
import { createSentCount } from "../src/limit/sent-count.ts";

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

test("the count keeps every request for a window, and drops it soon after", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 100 }),
      fc.integer({ min: 1, max: 120_000 }),
      (steps, window) => {
        const count = createSentCount(window);
        const times: number[] = [];
        let now = 0;
        for (const step of steps) {
          now += step;
          count.add(now);
          times.push(now);
          const within = (length: number) => times.filter((at) => at > now - length).length;
          expect(count.within(now)).toBeGreaterThanOrEqual(within(window));
          expect(count.within(now)).toBeLessThanOrEqual(within(window * 1.02 + 1));
        }
        // After the returned wait, the count has always dropped at least one request.
        while (count.within(now) > 0) {
          const held = count.within(now);
          now += Math.floor(count.untilFree(now)) + 1;
          expect(count.within(now)).toBeLessThan(held);
        }
      },
    ),
  );
});
