import { anything, options } from "@fieldmesh/core/internal";
import { createMovableClock, type VirtualClock } from "./movable-clock.ts";
import { readStart } from "./sleepers.ts";

/** A {@link Clock} that runs like the clock of the machine, and that you can pause, advance and set. */
export interface SteerableClock extends VirtualClock {
  /** Whether it is paused. Then only `advance` and `set` move it. */
  readonly paused: boolean;
  /** Stops it at its current time. */
  pause(): void;
  /** Lets it continue from its current time. */
  run(): void;
}

/** How a steerable clock starts. */
export interface SteerableClockOptions {
  /** The first time, as for `createVirtualClock`. @default the time of the machine */
  readonly start?: Date | number | string | undefined;
  /** Whether it is paused at first. @default false */
  readonly paused?: boolean | undefined;
}

const readOptions = /* @__PURE__ */ options<SteerableClockOptions>(
  "createSteerableClock",
  { start: anything, paused: anything },
  "{ paused: true }",
);

/**
 * Creates a clock for a sandbox that you use by hand. It runs, and `advance` jumps ahead, for example to the next attempt of a
 * delivery. Throws a RangeError if `start` is not a time.
 *
 * @example
 * ```ts
 * const clock = createSteerableClock({ start: "2026-01-01T00:00:00Z" });
 * clock.pause();
 * await clock.advance(3_600_000);
 * new Date(clock.now()).getUTCHours(); // 1
 * ```
 */
export function createSteerableClock(given: SteerableClockOptions = {}): SteerableClock {
  const { start = Date.now(), paused: isPaused = false } = readOptions(given);
  return createMovableClock(readStart("createSteerableClock", start), isPaused);
}
