import type { Clock } from "@fieldmesh/core";
import { readStart } from "./sleepers.ts";
import { createMovableClock } from "./steerable-clock.ts";

/** A {@link Clock} whose time moves only when you call `advance` or `set`. */
export interface VirtualClock extends Clock {
  /**
   * Moves the time by `ms` milliseconds, and wakes all sleepers whose time is reached, in order.
   *
   * The clock stops at the time of each sleeper while the code after its sleep runs. A sleep that this code starts within the
   * window therefore wakes in the same call. The clock waits for promises, but not for I/O on sockets or files. Overlapping calls
   * run one after the other. Throws a RangeError for a negative or infinite number.
   */
  advance(ms: number): Promise<void>;
  /**
   * Sets the time in milliseconds since 1970, even backward. No sleeper wakes: each still waits as long as before. Throws a
   * RangeError for anything but a finite number.
   */
  set(time: number): void;
  /** The number of waiting sleepers. */
  readonly pending: number;
}

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
