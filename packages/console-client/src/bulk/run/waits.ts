import type { Clock } from "@fieldmesh/core";
import type { RunProgress } from "./bulk-types.ts";

/** Tells the caller when and why a run waits. */
export interface Waits {
  /** Runs `work` while the run waits for it. Reports a wait with an end immediately, and a wait for a response only if it takes long. */
  readonly during: <T>(why: string, work: () => Promise<T>, until?: number) => Promise<T>;
  /** What the run currently waits for. */
  readonly current: RunProgress["waiting"];
}

const REPORT_EVERY = 5_000;
// Timers are not exact to the millisecond.
const LONG = REPORT_EVERY - 500;
// Requests that break together share one wait, and the caller receives one report.
const SAME_WAIT = 500;

/** Tracks the waits of a run. Calls `report` when one begins and every 5 seconds while it lasts. */
export function createWaits(clock: Clock, report: () => void): Waits {
  const active = new Set<NonNullable<RunProgress["waiting"]>>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const lastEnd = (): number =>
    Math.max(...Array.from(active, ({ until }) => until?.getTime() ?? 0));

  return {
    async during(why, work, until) {
      const isReported = until === undefined || lastEnd() > until - SAME_WAIT;
      const end = until === undefined ? undefined : new Date(until);
      const wait = { why, since: new Date(clock.now()), until: end };
      active.add(wait);
      timer ??= setInterval(report, REPORT_EVERY);
      if (!isReported) report();
      try {
        return await work();
      } finally {
        active.delete(wait);
        if (active.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      }
    },
    get current() {
      const last = lastEnd();
      const longBefore = clock.now() - LONG;
      return Array.from(active).find(({ since, until }) =>
        until === undefined ? last <= 0 && since.getTime() <= longBefore : until.getTime() === last,
      );
    },
  };
}
