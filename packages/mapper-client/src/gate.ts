import type { Clock } from "@fieldmesh/core";

const MINUTE = 60_000;

/** Limits how many tasks run in parallel and how many start within a minute. Tasks start in the order of their arrival. */
export function createGate({
  concurrency,
  perMinute,
  clock,
}: {
  readonly concurrency: number;
  readonly perMinute: number;
  /** Its `now` must never go backwards. */
  readonly clock: Clock;
}) {
  const queue: (() => void)[] = [];
  /** The times of the last `perMinute` starts. */
  const starts: number[] = [];
  let running = 0;
  let pausedUntil = 0;
  let isStarting = false;

  async function startTasks(): Promise<void> {
    if (isStarting) return;
    isStarting = true;
    while (queue.length > 0 && running < concurrency) {
      const [oldest = 0] = starts;
      const allowedAt = starts.length < perMinute ? 0 : oldest + MINUTE;
      const wait = Math.max(pausedUntil, allowedAt) - clock.now();
      if (wait > 0) {
        await clock.sleep(wait);
        continue;
      }
      if (starts.push(clock.now()) > perMinute) starts.shift();
      running++;
      // Stryker disable next-line OptionalChaining: The loop has found one in the queue; the condition is for the compiler.
      queue.shift()?.();
    }
    isStarting = false;
  }

  return {
    /** The number of tasks that wait or run. */
    get size() {
      return queue.length + running;
    },
    /** Rejects with the reason of the signal if that aborts before the task has started. The task then never starts. */
    async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      signal?.throwIfAborted();
      const turn = Promise.withResolvers<void>();
      queue.push(turn.resolve);
      const leave = (): void => {
        const place = queue.indexOf(turn.resolve);
        if (place < 0) return;
        queue.splice(place, 1);
        turn.reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      void startTasks();
      await turn.promise.finally(() => signal?.removeEventListener("abort", leave));
      try {
        return await task();
      } finally {
        running--;
        void startTasks();
      }
    },
    /** Starts no task for some milliseconds. */
    pause(milliseconds: number): void {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
    },
  };
}
