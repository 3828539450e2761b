import { createMovableClock, type VirtualClock } from "./movable-clock.ts";
import { readStart } from "./sleepers.ts";

export type { VirtualClock };

/**
 * Creates a clock that moves only when you advance it.
 *
 * It starts at `start`, by default at the time of the machine. Pass a start for repeatable runs. A string is parsed as in
 * `Date`, so end it with its zone. Throws a RangeError if `start` is not a time.
 *
 * @example
 * ```ts
 * const clock = createVirtualClock("2026-01-01T00:00:00Z");
 * const done = clock.sleep(60_000).then(() => new Date(clock.now()).toISOString());
 * await clock.advance(3_600_000);
 * await done; // "2026-01-01T00:01:00.000Z"
 * ```
 */
export function createVirtualClock(start: Date | number | string = Date.now()): VirtualClock {
  const clock = createMovableClock(readStart("createVirtualClock", start), true);
  const { now, sleep, advance, set } = clock;
  return {
    now,
    sleep,
    advance,
    set,
    get pending() {
      return clock.pending;
    },
  };
}
