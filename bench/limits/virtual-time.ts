import { setImmediate as turn } from "node:timers/promises";
import { install } from "@sinonjs/fake-timers";

/** A time of its own for everything that this process does from now on, but for I/O. */
export interface VirtualTime {
  /** Milliseconds since it began. */
  now(): number;
  /** Runs what is due, one timer after the other, until so many milliseconds have passed or `isOver` says so. */
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
        // Code that was woken may be about to ask a server.
        do await turn();
        while (isWaiting());
        if (clock.countTimers() === 0) await clock.tickAsync(1);
        else await clock.nextAsync();
      }
    },
    end: () => clock.uninstall(),
  };
}
