import { checkOptionNames, requireOptions, readInput } from "@fieldmesh/core/internal";
import { nextTurn } from "./next-turn.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import { checkAdvance, checkTime, createSleepers, readStart } from "./sleepers.ts";

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

/** The longest delay that a timer accepts. A longer one would fire immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

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
export function createSteerableClock(options: SteerableClockOptions = {}): SteerableClock {
  const { start = Date.now(), paused: isPaused = false } = readInput(
    "The argument of createSteerableClock",
    () => {
      requireOptions("createSteerableClock", options, "such as { paused: true }");
      checkOptionNames("createSteerableClock", options, ["start", "paused"]);
      return { ...options };
    },
  );
  return createMovableClock(readStart("createSteerableClock", start), isPaused);
}

/** Creates the clock behind both kinds: a virtual clock is one that stays paused. */
export function createMovableClock(start: number, isPaused: boolean): SteerableClock {
  /** The time when it last began to run, or at which it does not move. */
  let from = start;
  /** The time of the machine at `from`. `undefined` while it does not move. */
  let since: number | undefined;
  let paused = isPaused;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let advancing = Promise.resolve();
  let advances = 0;

  const now = () => (since === undefined ? from : from + Date.now() - since);
  const halt = () => {
    clearTimeout(timer);
    from = now();
    since = undefined;
  };
  const runIfFree = () => {
    if (paused || advances > 0) return;
    from = now();
    since = Date.now();
    setTimer();
  };
  const setTimer = () => {
    clearTimeout(timer);
    const due = since === undefined ? undefined : sleepers.nextDue();
    if (due === undefined) return;
    timer = setTimeout(() => void wakeDue(), Math.min(Math.max(0, due - now()), LONGEST_TIMER));
  };
  const wakeDue = async () => {
    await sleepers.wakeUntil(now(), () => {});
    setTimer();
  };
  const sleepers = createSleepers(setTimer);
  runIfFree();

  return {
    now,
    sleep: (ms, signal) => sleepers.sleep(now(), ms, signal),
    advance: async (ms) => {
      checkAdvance(ms, now());
      advances++;
      advancing = advancing.then(async () => {
        halt();
        const end = from + ms;
        // Code that ran before this call may be about to sleep.
        await nextTurn();
        await sleepers.wakeUntil(end, (time) => void (from = Math.max(from, time)));
        from = end;
        advances--;
        runIfFree();
      });
      await advancing;
    },
    set: (time) => {
      checkTime(time);
      halt();
      sleepers.shift(time - from);
      from = time;
      runIfFree();
    },
    get pending() {
      return sleepers.size;
    },
    get paused() {
      return paused;
    },
    pause: () => {
      paused = true;
      halt();
    },
    run: () => {
      paused = false;
      runIfFree();
    },
  };
}
