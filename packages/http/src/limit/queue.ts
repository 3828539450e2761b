import { type Clock, ENDED } from "@fieldmesh/core/internal";

/** A background call lets all other calls go first. */
export type Priority = "normal" | "background";

/** Creates the queue of the calls that wait for a permit, in order of arrival. Background calls come after all others. */
export function createQueue(clock: Clock, wake: () => void) {
  // Sets keep their order, and an entry in the middle can leave.
  const queues: Readonly<Record<Priority, Set<() => void>>> = {
    normal: new Set(),
    background: new Set(),
  };
  let backgroundAt = 0;
  let wakesAt = Infinity;
  let alarm: AbortController | undefined;

  const length = (): number => queues.normal.size + queues.background.size;

  /** Records a call that went without waiting. */
  function passed(priority: Priority, now: number, interval: number): void {
    if (priority === "background") backgroundAt = now + interval;
  }

  function leave(queue: Set<() => void>, go: () => void): void {
    queue.delete(go);
    // A timer without waiting calls would keep the process alive.
    if (length() === 0) stop();
  }

  function stop(): void {
    alarm?.abort(ENDED);
    alarm = undefined;
    wakesAt = Infinity;
  }

  return {
    length,
    passed,
    /** Joins the end of the queue. Rejects with the reason of the signal, and leaves the queue. */
    join: (priority: Priority, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const queue = queues[priority];
        const onAbort = () => {
          leave(queue, go);
          reject(signal.reason);
        };
        const go = () => {
          signal.removeEventListener("abort", onAbort);
          leave(queue, go);
          resolve();
        };
        queue.add(go);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
    /** Lets the first call go. The next background call follows at least `interval` milliseconds later. */
    next(now: number, interval: number): void {
      const priority = queues.normal.size > 0 ? "normal" : "background";
      const [go] = queues[priority];
      passed(priority, now, interval);
      go?.();
    },
    /** Milliseconds until the first call may go, as far as its priority decides. */
    soonest: (now: number): number =>
      queues.normal.size > 0 ? 0 : Math.max(0, backgroundAt - now),
    /** Returns true if a call that does not wait may go now. */
    mayPass: (priority: Priority, now: number): boolean =>
      priority === "normal" || now >= backgroundAt,
    /** Calls `wake` after some milliseconds, or earlier if an earlier time was requested. */
    wakeIn(milliseconds: number): void {
      // Rounded up, because a timer of a fraction could end before the computed moment.
      const wait = Math.floor(milliseconds) + 1;
      const at = clock.now() + wait;
      if (milliseconds <= 0 || at >= wakesAt) return;
      stop();
      wakesAt = at;
      alarm = new AbortController();
      clock.sleep(wait, alarm.signal).then(
        () => {
          stop();
          wake();
        },
        () => undefined,
      );
    },
  };
}
