import type { Clock } from "@fieldmesh/core";
import { nextTurn, checkAdvance, createSleepers, LAST_TIME } from "./sleepers.ts";

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

/** The longest delay that a timer accepts. A longer one would fire immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Creates the clock behind both kinds: a virtual clock is one that stays paused. */
export function createMovableClock(start: number, isPaused: boolean) {
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
    sleep: (ms: number, signal?: AbortSignal) => sleepers.sleep(now(), ms, signal),
    advance: async (ms: number) => {
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
    set: (time: number) => {
      if (!(Math.abs(time) <= LAST_TIME))
        throw new RangeError("set: time must be milliseconds since 1970");
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
