import type { Clock } from "@fieldmesh/core";

/** Lets so many in at a time, and so many within a minute, in the order in which they came. */
export interface Gate {
  /** How many wait or are inside. */
  readonly size: number;
  /** Runs a task when there is room. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Lets nobody in for a while: the server has said that it is too much. */
  pause(milliseconds: number): void;
}

const MINUTE = 60_000;

export function createGate({
  concurrency,
  perMinute,
  clock,
}: {
  readonly concurrency: number;
  readonly perMinute: number;
  readonly clock: Clock;
}): Gate {
  /** When each of the last `perMinute` was let in. */
  const entries: number[] = [];
  const lanes = Array.from({ length: concurrency }, () => Promise.resolve());
  let door: Promise<void> = Promise.resolve();
  let pausedUntil = 0;
  let [size, next] = [0, 0];

  async function enter(): Promise<void> {
    for (;;) {
      const now = clock.now();
      const oldest = entries.length < perMinute ? -Infinity : (entries[0] ?? -Infinity);
      const wait = Math.max(pausedUntil, oldest + MINUTE) - now;
      if (wait <= 0) break;
      await clock.sleep(wait);
    }
    if (entries.length >= perMinute) entries.shift();
    entries.push(clock.now());
  }

  return {
    get size() {
      return size;
    },
    async run(task) {
      size++;
      const lane = next++ % concurrency;
      const result = (lanes[lane] ?? Promise.resolve()).then(async () => {
        await (door = door.then(enter));
        return task();
      });
      lanes[lane] = result.then(
        () => undefined,
        () => undefined,
      );
      return await result.finally(() => size--);
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
    },
  };
}
