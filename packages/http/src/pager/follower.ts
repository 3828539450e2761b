import { ENDED, signalOf, systemClock, type Clock } from "@fieldmesh/core/internal";
import type { CallName } from "../errors/call-error.ts";
import { checkCallOptionNames, type CallOptions } from "../options/call-options.ts";
import { outlast } from "../send/keep-trying.ts";
import { inTurn } from "./iterate.ts";
import { checkCount } from "./pager-options.ts";

/** Options of every method that follows something. */
export interface FollowerOptions extends Omit<CallOptions, "signal"> {
  /** Ends the follower like `break`: the loop ends without an error, even during a wait or a request. */
  signal?: AbortSignal | undefined;
  /** The shortest wait between two requests that look for something new, in milliseconds. @default 1_000 */
  minWait?: number | undefined;
  /** The longest wait between two requests that look for something new, in milliseconds. @default 60_000 */
  maxWait?: number | undefined;
  /**
   * For how many milliseconds to retry a request while the service is unreachable, too slow, or responds with 408, 429 or 5xx.
   * `3_600_000` outlasts an outage of an hour. `Infinity` retries until the signal aborts.
   *
   * @default 0 - the failure is thrown, and the next `next()` retries
   */
  keepTrying?: number | undefined;
  /** The clock for times and waits. @default the clock of the machine */
  clock?: Clock | undefined;
}

const OPTIONS: Record<Exclude<keyof FollowerOptions, keyof CallOptions>, true> = {
  minWait: true,
  maxWait: true,
  keepTrying: true,
  clock: true,
};

/** An endless iterator. Only `break`, `return()` or its signal ends it. After a failure, `next()` retries. */
export interface Follower<T> {
  /** Waits for the next one. A loop calls it. */
  next(): Promise<IteratorResult<T, undefined>>;
  /** Ends the follower. A loop calls it when it is left. */
  return(): Promise<IteratorResult<T, undefined>>;
  [Symbol.asyncIterator](): Follower<T>;
}

/** What a follower follows. */
export interface Followed<T> {
  /** Throws an InputError for an option of this kind of follower. Runs before each step. */
  check?(): void;
  /** Returns the next record of those that were read. */
  take(): T | undefined;
  /** Reads more records. Returns whether it may read again without a wait. */
  read(): Promise<boolean>;
  /** The wait before the next read in milliseconds. `minWait` and `maxWait` limit it. */
  wait(): number;
}

/** Creates a follower for the caller of `method`. It sends nothing before the first `next()`. `own` are the options of `method` only. */
export function createFollower<T>(
  method: object,
  facts: CallName,
  given: FollowerOptions,
  own: readonly string[],
  open: (call: CallOptions, clock: Clock) => Followed<T>,
): Follower<T> {
  checkCallOptionNames(facts.call, given, [...Object.keys(OPTIONS), ...own]);
  const { signal, clock = systemClock, minWait = 1_000, maxWait = 60_000, ...others } = given;
  const { keepTrying = 0, ...options } = others;
  const closing = new AbortController();
  const both =
    signal === undefined ? closing.signal : AbortSignal.any([signalOf(signal), closing.signal]);
  const limits = Object.entries(options).filter(([name]) => !own.includes(name));
  const followed = open({ ...Object.fromEntries(limits), signal: both }, clock);
  let isIdle = false;

  async function step(): Promise<IteratorResult<T, undefined>> {
    followed.check?.();
    for (const [name, value] of Object.entries({ minWait, maxWait, keepTrying }))
      checkCount(facts, name, value);
    try {
      while (!both.aborted) {
        const value = followed.take();
        if (value !== undefined) return { done: false, value };
        if (isIdle) await clock.sleep(Math.max(minWait, Math.min(maxWait, followed.wait())), both);
        // After a failure, the next step reads without a wait.
        isIdle = false;
        const patience = { keepTrying, signal: both, clock };
        isIdle = !(await outlast(() => followed.read(), patience));
      }
    } catch (error) {
      // `break` and the signal end the loop without an error. A request that they aborted did not fail.
      if (!both.aborted) throw error;
    }
    return { done: true, value: undefined };
  }

  return {
    next: inTurn(method, step).next,
    return() {
      closing.abort(ENDED);
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
