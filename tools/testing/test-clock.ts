import type { Clock } from "@fieldmesh/core";

// A test that waits forever would block the process, because no wait takes time.
const MOST_WAITS = 1_000;

/** A clock whose waits end at once and move its time. It records them. */
export interface TestClock extends Clock {
  readonly waits: number[];
}

/** Creates a clock at a time in milliseconds. */
export function createClock(start = 0): TestClock {
  let time = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      if (waits.push(ms) > MOST_WAITS) throw new Error("It waits without an end.");
      time += ms;
      await Promise.resolve();
    },
  };
}
