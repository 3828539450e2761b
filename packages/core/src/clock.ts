/** A source of time. Everything in fieldmesh that depends on time accepts a clock, so a test can replace it. */
export interface Clock {
  /** The time in milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds, of any length. Resolves immediately if `ms` is 0 or less. If the signal aborts first, it
   * rejects with `signal.reason` and leaves no listener or timer behind.
   */
  sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (!(ms > 0)) return resolve();
      let timer: ReturnType<typeof setTimeout>;
      const onAbort = () => {
        clearTimeout(timer);
        // Stryker disable next-line OptionalChaining: Only a signal calls it; the question mark is for the compiler.
        reject(signal?.reason);
      };
      const wait = (left: number) => {
        timer = setTimeout(
          () => {
            if (left > LONGEST_TIMER) return wait(left - LONGEST_TIMER);
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
          Math.min(left, LONGEST_TIMER),
        );
      };
      wait(ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};

/** A timer ends up to a millisecond early. What is missing after a wait, beyond this, shows that `performance` does not run. */
const INACCURACY = 10;

let last = 0;
let ahead = 0;
let least = 0;

/**
 * Records that a wait has ended at a time of the monotonic clock. Fake timers, such as those of `node:test`, end a wait while
 * `performance` does not run.
 */
export function hasPassed(time: number): void {
  const missing = time - (performance.now() + ahead);
  if (missing > INACCURACY) ahead += missing;
  else least = Math.max(least, time);
}

/**
 * A clock that never goes backwards, for waits and timeouts. Its `now` counts from the start of the process, so that a corrected
 * system clock changes no wait.
 */
export const monotonicClock: Clock = {
  now() {
    const now = performance.now();
    // Only fake timers set it back. Their time begins again.
    if (now < last) ahead = least = 0;
    last = now;
    return Math.max(now + ahead, least);
  },
  async sleep(ms, signal) {
    const end = monotonicClock.now() + ms;
    await systemClock.sleep(ms, signal);
    hasPassed(end);
  },
};

/**
 * Returns the clock for waits and leases. The clock of the machine may be set back or forward, so it is replaced by the monotonic
 * one. Any other clock, such as that of a test, is kept.
 */
export function steadyClock(clock: Clock = systemClock): Clock {
  return clock === systemClock ? monotonicClock : clock;
}

/** The longest delay that a timer accepts. A longer one would fire immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;
