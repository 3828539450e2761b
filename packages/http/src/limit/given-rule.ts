import { STATUS } from "../errors/statuses.ts";
import type { Rule } from "./rule.ts";

/** A known limit. A request counts until a whole window after its response, however the service aligns its windows. */
export function givenRule(limit: number, window: number): Rule {
  const sent = createSentCount(window);
  const free = (now: number, inUse: number): number => limit - sent.within(now) - inUse;
  return {
    limit: () => limit,
    free,
    untilFree: (now, inUse) => (free(now, inUse) < 1 ? sent.untilFree(now) : 0),
    interval: () => window / limit,
    ended(response, now) {
      if (response?.status !== STATUS.tooManyRequests) sent.add(now);
    },
  };
}

// A request counts up to 1/120 of the window too long: half a second per minute.
const SLICES = 120;
const LENGTH = SLICES + 1;

/** Counts the requests of the last window in slices of time, so that memory and time do not depend on their number. */
export function createSentCount(window: number) {
  const slice = window / SLICES;
  const counts = Array.from({ length: LENGTH }, () => 0);
  let current = 0;
  let total = 0;

  function moveTo(now: number): void {
    const target = Math.floor(now / slice);
    if (target - current > LENGTH) current = target - LENGTH;
    while (current < target) {
      current++;
      total -= counts[current % LENGTH] ?? 0;
      counts[current % LENGTH] = 0;
    }
  }

  function firstSlice(now: number): number | undefined {
    moveTo(now);
    for (let each = current - SLICES; each <= current; each++)
      if ((counts[(each + LENGTH) % LENGTH] ?? 0) > 0) return each;
    return undefined;
  }

  return {
    add(now: number, by = 1): void {
      moveTo(now);
      counts[current % LENGTH] = (counts[current % LENGTH] ?? 0) + by;
      total += by;
    },
    within(now: number): number {
      moveTo(now);
      return total;
    },
    /** Returns the milliseconds until the first request leaves the window, or 0 if there are none. */
    untilFree(now: number): number {
      const first = firstSlice(now);
      return first === undefined ? 0 : (first + LENGTH) * slice - now;
    },
  };
}
