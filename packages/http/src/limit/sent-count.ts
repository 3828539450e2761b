/** Counts what was sent within the last window. */
export interface SentCount {
  add(now: number, by?: number): void;
  /** How many of the last window there are. */
  within(now: number): number;
  /** Milliseconds until the first of them is a whole window old; 0 where there is none. */
  untilFree(now: number): number;
}

// A request is counted up to a 120th of the window too long: half a second of a minute.
const SLICES = 120;
const LENGTH = SLICES + 1;

/** Counts in slices of time, so that memory and time do not depend on the number of requests. */
export function createSentCount(window: number): SentCount {
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
    add(now, by = 1) {
      moveTo(now);
      counts[current % LENGTH] = (counts[current % LENGTH] ?? 0) + by;
      total += by;
    },
    within(now) {
      moveTo(now);
      return total;
    },
    untilFree(now) {
      const first = firstSlice(now);
      return first === undefined ? 0 : (first + LENGTH) * slice - now;
    },
  };
}
