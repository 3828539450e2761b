import { createMovableClock, type VirtualClock } from "./movable-clock.ts";
import { readStart } from "./sleepers.ts";
import { anything, options, type Clock, hasMethod } from "@fieldmesh/core/internal";

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

/** Creates a clock of the same kind at the same time. A clock that cannot be moved, such as the system's, is shared. */
export function copyClock<C extends Clock>(clock: C): C {
  if (!canBeSet(clock)) return clock;
  const start = clock.now();
  const copy = isSteerable(clock)
    ? createSteerableClock({ start, paused: clock.paused })
    : createVirtualClock(start);
  return copy as Clock as C;
}

/** Sets a clock that can be set. */
export function setClock(clock: Clock, time: number): void {
  if (canBeSet(clock)) clock.set(time);
}

export function canBeSet(clock: Clock): clock is VirtualClock {
  return hasMethod(clock, "advance") && hasMethod(clock, "set");
}

export function isSteerable(clock: Clock): clock is SteerableClock {
  return canBeSet(clock) && hasMethod(clock, "pause") && hasMethod(clock, "run");
}
