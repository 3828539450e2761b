/** Tells the time and waits: everything in fieldmesh that depends on time accepts one, so that a test can replace it. */
export interface Clock {
  /** The time in milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds, however long that is; at once when `ms` is 0 or less.
   * Rejects with `signal.reason` when the signal aborts first, and then leaves no listener or timer behind.
   */
  sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (!(ms > 0)) return resolve();
      let timer: ReturnType<typeof setTimeout>;
      const onAbort = () => {
        clearTimeout(timer);
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

/** The longest delay that a timer accepts; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
