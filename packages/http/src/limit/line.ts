import type { Clock } from "@fieldmesh/core";

/** A background call lets all others go first. */
export type Priority = "normal" | "background";

/** Throws a TypeError for what is not a priority. */
export function checkPriority(priority: Priority | undefined): void {
  if (priority !== undefined && priority !== "normal" && priority !== "background")
    throw new TypeError('priority must be "normal" or "background".');
}

/** Calls that wait for their turn: served as they came, those in the background after all others. */
export interface Line {
  length(): number;
  /** Joins the end. Resolves when it is its turn; rejects with the reason of the signal, and leaves. */
  join(priority: Priority, signal: AbortSignal): Promise<void>;
  /** Lets the first one go. The next one in the background follows `pace` milliseconds later. */
  next(now: number, pace: number): void;
  /** Milliseconds until the first one may go, as far as its priority decides. */
  soonest(now: number): number;
  /** Returns true if a call that does not wait may go now. */
  mayPass(priority: Priority, now: number): boolean;
  /** Records that one has gone without waiting. */
  passed(priority: Priority, now: number, pace: number): void;
  /** Calls back in so many milliseconds, or sooner if that was asked for. */
  wakeIn(milliseconds: number): void;
}

/** Makes a line. `wake` is called when its time has come, or when the calls that waited have left. */
export function createLine(clock: Clock, wake: () => void): Line {
  // Sets keep their order, and one can leave from the middle.
  const lines: Readonly<Record<Priority, Set<() => void>>> = {
    normal: new Set(),
    background: new Set(),
  };
  let backgroundAt = 0;
  let wakesAt = Infinity;
  let alarm: AbortController | undefined;

  const length = () => lines.normal.size + lines.background.size;

  function passed(priority: Priority, now: number, pace: number): void {
    if (priority === "background") backgroundAt = now + pace;
  }

  function leave(line: Set<() => void>, go: () => void): void {
    line.delete(go);
    // A timer that nobody waits for would keep the process alive.
    if (length() === 0) stop();
  }

  function stop(): void {
    alarm?.abort();
    alarm = undefined;
    wakesAt = Infinity;
  }

  return {
    length,
    passed,
    join: (priority, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const line = lines[priority];
        const onAbort = () => {
          leave(line, go);
          reject(signal.reason);
        };
        const go = () => {
          signal.removeEventListener("abort", onAbort);
          leave(line, go);
          resolve();
        };
        line.add(go);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
    next(now, pace) {
      const priority = lines.normal.size > 0 ? "normal" : "background";
      const [go] = lines[priority];
      passed(priority, now, pace);
      go?.();
    },
    soonest: (now) => (lines.normal.size > 0 ? 0 : Math.max(0, backgroundAt - now)),
    mayPass: (priority, now) => priority === "normal" || now >= backgroundAt,
    wakeIn(milliseconds) {
      // A whole one at least: a part could end before the moment that it was computed for.
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
