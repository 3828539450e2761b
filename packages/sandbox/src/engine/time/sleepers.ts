import { dateOfStamp, readInput } from "@fieldmesh/core/internal";

interface Sleeper {
  due: number;
  readonly wake: () => void;
}

/** Creates an empty list of what waits for a time. `onChange` is called when a sleeper is added, or is aborted. */
export function createSleepers(onChange: () => void = () => {}) {
  const all = new Set<Sleeper>();
  /** A Set keeps the order in which they fell asleep. */
  const first = (): Sleeper | undefined => {
    let found: Sleeper | undefined;
    for (const sleeper of all) if (!found || sleeper.due < found.due) found = sleeper;
    return found;
  };
  return {
    /** Waits from a time on, as {@link Clock.sleep} describes it. */
    sleep: (now: number, ms: number, signal: AbortSignal | undefined) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (!(ms > 0)) return resolve();
        const onAbort = () => {
          all.delete(sleeper);
          reject(signal?.reason);
          onChange();
        };
        const wake = () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        };
        const sleeper = { due: now + ms, wake };
        all.add(sleeper);
        signal?.addEventListener("abort", onAbort, { once: true });
        onChange();
      }),
    nextDue: () => first()?.due,
    /** Wakes all due until `end`, in order. `move` sets the clock first, and the code after a sleep runs before the next. */
    wakeUntil: async (end: number, move: (time: number) => void) => {
      for (let next = first(); next && next.due <= end; next = first()) {
        move(next.due);
        all.delete(next);
        next.wake();
        await nextTurn();
      }
    },
    /** Moves all of them by `ms`, so that they still wait as long when the clock is set. */
    shift: (ms: number) => {
      for (const sleeper of all) sleeper.due += ms;
    },
    get size() {
      return all.size;
    },
  };
}

/** Reads the start of a clock. Throws a RangeError if it is not a time. */
export function readStart(creator: string, start: Date | number | string): number {
  const time = readInput(`The argument of ${creator}`, () => {
    return typeof start === "number" ? new Date(start).getTime() : dateOfStamp(start).getTime();
  });
  if (Number.isNaN(time))
    throw new RangeError(
      `${creator}: start must be a Date, milliseconds since 1970, or a string such as "2026-11-20T08:30:00Z"`,
    );
  return time;
}

/** The last time of a Date, in the year 275760. */
export const LAST_TIME = 8.64e15;

/** Throws a RangeError for a time that a clock cannot be advanced by. */
export function checkAdvance(ms: number, now: number): void {
  if (!(ms >= 0 && Number.isFinite(ms)))
    throw new RangeError("advance: ms must be 0 or more, and finite");
  if (now + ms > LAST_TIME)
    throw new RangeError("advance: ms is too large: there is no date that late");
}

/** Taken when the module loads, so that a test's fake timers do not stop the virtual clock or a delivery. */
const realSetTimeout = setTimeout;

/** Resolves after every promise job that is queued now, and all that those queue. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    realSetTimeout(resolve, 0);
  });
}
