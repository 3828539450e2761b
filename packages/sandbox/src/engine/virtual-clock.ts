import { guardInput, type Clock } from "@fieldmesh/core";
import { nextTurn } from "./next-turn.ts";

/** A {@link Clock} whose time moves only when you call `advance`. */
export interface VirtualClock extends Clock {
  /**
   * Moves the time by `ms` milliseconds, and wakes all sleepers whose time is reached, in order.
   *
   * The clock stops at the time of each sleeper while the code after its sleep runs. A sleep that this code starts within the
   * window therefore wakes in the same call. The clock waits for promises, but not for I/O on sockets or files. Overlapping calls
   * run one after the other. Throws a RangeError for a negative or infinite number.
   */
  advance(ms: number): Promise<void>;
  /** The number of waiting sleepers. */
  readonly pending: number;
}

/**
 * Creates a clock that moves only when you advance it.
 *
 * It starts at `start`, by default at the time of the machine. Pass a start for repeatable runs. A string is parsed like in
 * `Date`, so end it with its zone. Throws a RangeError if `start` is not a time.
 *
 * @example
 * ```ts
 * const clock = createVirtualClock("2026-01-01T00:00:00Z");
 * const done = clock.sleep(60_000).then(() => new Date(clock.now()).toISOString());
 * await clock.advance(3_600_000);
 * await done; // "2026-01-01T00:01:00.000Z"
 * ```
 */
export function createVirtualClock(start: Date | number | string = Date.now()): VirtualClock {
  let now = guardInput("The argument of createVirtualClock", start, () => readTime(start));
  if (Number.isNaN(now)) throw new RangeError("createVirtualClock: start is not a time");
  let advancing = Promise.resolve();
  const sleepers = new Set<Sleeper>();

  const moveTo = async (end: number) => {
    // Code that ran before this call may be about to sleep.
    await nextTurn();
    for (let next = earliest(sleepers); next && next.due <= end; next = earliest(sleepers)) {
      now = next.due;
      sleepers.delete(next);
      next.wake();
      await nextTurn();
    }
    now = end;
  };

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (!(ms > 0)) return resolve();
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        };
        const sleeper = { due: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    advance: async (ms) => {
      if (!(ms >= 0 && Number.isFinite(ms)))
        throw new RangeError("advance: ms must be 0 or more, and finite");
      advancing = advancing.then(() => moveTo(now + ms));
      await advancing;
    },
    get pending() {
      return sleepers.size;
    },
  };
}

function readTime(start: unknown): number {
  const isTime = typeof start === "string" || typeof start === "number" || start instanceof Date;
  return isTime ? new Date(start).getTime() : Number.NaN;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Returns the first of the next sleepers. A Set keeps the order in which they fell asleep. */
function earliest(sleepers: Iterable<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) if (!first || sleeper.due < first.due) first = sleeper;
  return first;
}
