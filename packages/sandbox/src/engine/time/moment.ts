import type { Clock } from "@fieldmesh/core";

/** When a change happened: by the clock of the sandbox, and by that of the machine, which delayed device lists follow. */
export interface Instant {
  readonly time: number;
  readonly machine: number;
}

/** The clock of the services. It does not move while one change is made, so that the change can be repeated exactly. */
export interface Moment extends Clock {
  instant(): Instant;
  /** Runs work at an instant. Only the part before its first `await` sees it. */
  at<T>(instant: Instant, work: () => T): T;
}

/** Creates the clock of the services over the clock of the sandbox. */
export function createMoment(clock: Clock): Moment {
  let held: Instant | undefined;
  return {
    now: () => held?.time ?? clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    instant: () => held ?? { time: clock.now(), machine: Date.now() },
    at: (instant, work) => {
      const outer = held;
      held = instant;
      try {
        return work();
      } finally {
        held = outer;
      }
    },
  };
}
