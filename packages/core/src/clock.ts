/** Tells the time and waits: everything in fieldmesh that depends on time takes one, so that a test can replace it. */
export interface Clock {
  /** The time in milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds, however long that is; at once when `ms` is 0 or less.
   * Rejects with `signal.reason` when the signal aborts first, and then leaves no listener or timer behind.
   */
  sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>;
}

/** A {@link Clock} whose time stands still until `advance` moves it. */
export interface VirtualClock extends Clock {
  /**
   * Moves the time by `ms` milliseconds and wakes every sleeper that is due on the way, in the order of their times.
   *
   * Time stands at each sleeper's hour while what awaited it runs on, so a sleep that it starts within the window is
   * woken in the same call. Promises are waited for; I/O on sockets or files is not. A call made while another one
   * runs continues where that one ends. Throws a RangeError for a negative or broken number.
   */
  advance(ms: number): Promise<void>;
  /** How many sleepers wait. */
  readonly pending: number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, signal, (wake) => startTimer(ms, wake)),
};

/**
 * Creates a clock that moves only when told to.
 *
 * It starts at `start`, or at the machine's time; pass a start where a run must be repeatable. A text is read as
 * `Date` reads it, so end it with its zone. Throws a RangeError when `start` is not a time.
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
  let now = new Date(start).getTime();
  if (Number.isNaN(now)) throw new RangeError("createVirtualClock: start is not a time");
  let advancing = Promise.resolve();
  const sleepers = new Set<Sleeper>();

  const moveTo = async (end: number) => {
    // What ran before this call may be about to sleep.
    await settle();
    for (let next = earliest(sleepers); next && next.due <= end; next = earliest(sleepers)) {
      now = next.due;
      sleepers.delete(next);
      next.wake();
      await settle();
    }
    now = end;
  };

  return {
    now: () => now,
    sleep: (ms, signal) =>
      wait(ms, signal, (wake) => {
        const sleeper = { due: now + ms, wake };
        sleepers.add(sleeper);
        return () => sleepers.delete(sleeper);
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

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** The first of those due soonest: a Set keeps the order in which they fell asleep. */
function earliest(sleepers: Iterable<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) if (!first || sleeper.due < first.due) first = sleeper;
  return first;
}

function wait(
  ms: number,
  signal: AbortSignal | undefined,
  schedule: (wake: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    if (!(ms > 0)) return resolve();
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = schedule(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** The longest delay that a timer takes; with a longer one it fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function startTimer(ms: number, wake: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const run = (left: number) => {
    timer = setTimeout(
      () => (left > LONGEST_TIMER ? run(left - LONGEST_TIMER) : wake()),
      Math.min(left, LONGEST_TIMER),
    );
  };
  run(ms);
  return () => clearTimeout(timer);
}

/** Taken when the module loads, so that a test's fake timers do not stop `advance`. */
const realSetTimeout = setTimeout;
const realSetImmediate = typeof setImmediate === "function" ? setImmediate : undefined;

/** Resolves after every promise job that is queued now, and all that those queue. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    // A timer waits a millisecond at least, so setImmediate where there is one.
    if (realSetImmediate) realSetImmediate(() => resolve());
    else realSetTimeout(resolve, 0);
  });
}
