import { setImmediate as turn } from "node:timers/promises";
import { install } from "@sinonjs/fake-timers";

/** A virtual time for everything in this process from now on, except I/O. */
export interface VirtualTime {
  /** Milliseconds since it began. */
  now(): number;
  /** Runs due timers one by one, until the given number of milliseconds has passed or `isOver` returns true. */
  run(milliseconds: number, isOver?: () => boolean): Promise<void>;
  /** Holds the time while a promise waits for a real server. */
  real<T>(promise: Promise<T>): Promise<T>;
  end(): void;
}

/** Replaces timers, Date and performance.now until `end`. */
export function startVirtualTime(): VirtualTime {
  const clock = install({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  const start = clock.now;
  let pending = 0;
  const now = (): number => clock.now - start;
  const isWaiting = (): boolean => pending > 0;
  return {
    now,
    async real(promise) {
      pending++;
      try {
        return await promise;
      } finally {
        pending--;
      }
    },
    async run(milliseconds, isOver = () => false) {
      const end = now() + milliseconds;
      while (now() < end && !isOver()) {
        // Woken code may be about to call a server.
        do await turn();
        while (isWaiting());
        if (clock.countTimers() === 0) await clock.tickAsync(1);
        else await clock.nextAsync();
      }
    },
    end: () => clock.uninstall(),
  };
}
