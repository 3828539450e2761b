/** How long to wait before the height is asked for again. */
export interface Pace {
  /** Is told the time of every block, in Unix seconds. */
  saw(time: number): void;
  /** Gives the next wait in milliseconds. */
  wait(): number;
}

const SECOND = 1_000;
const DEFAULT_MIN_WAIT = 1_000;
const DEFAULT_MAX_WAIT = 60_000;
// The weight of the newest interval: single late blocks move the average a little, a new rhythm in some ten blocks.
const NEWEST = 0.2;
// Asked a few times for each block, one is seen soon after it appears.
const QUESTIONS_PER_BLOCK = 4;

/** Learns the rhythm of the chain from the times of its blocks. */
export function createPace({
  minWait = DEFAULT_MIN_WAIT,
  maxWait = DEFAULT_MAX_WAIT,
}: {
  readonly minWait: number | undefined;
  readonly maxWait: number | undefined;
}): Pace {
  let lastTime: number | undefined;
  let interval = 0;
  return {
    saw(time) {
      if (lastTime !== undefined && time > lastTime) {
        const newest = (time - lastTime) * SECOND;
        interval = interval === 0 ? newest : interval + NEWEST * (newest - interval);
      }
      lastTime = time;
    },
    wait: () => Math.max(minWait, Math.min(maxWait, interval / QUESTIONS_PER_BLOCK)),
  };
}
