import { type Clock, monotonicClock } from "@fieldmesh/core/internal";
import { type Deadline, untilAborted } from "../wire/deadline.ts";
import { LONGEST_PAUSE } from "../wire/hint.ts";
import type { RawResponse } from "../wire/read-body.ts";
import { spreadOf } from "./spread.ts";

export type Pause = ReturnType<typeof createPause>;

type CallEnds = Pick<Deadline, "signal" | "timeLeft">;

/** The first call after a long pause is sent alone, because nobody knows whether the limit is over. The others wait for its end. */
export interface LimitTest {
  end(wasSent: boolean): void;
}

/** Ends a call before it is sent. The 429 of another call says that the service accepts it too late. */
export class HeldBack extends Error {
  readonly response: RawResponse;
  readonly retryAt: Date;

  constructor(response: RawResponse, retryAt: Date) {
    super("held back by a rate limit");
    this.response = response;
    this.retryAt = retryAt;
  }
}

// More would exceed every delay, and end in Infinity, which no delay of 0 can be multiplied with.
const MOST_DOUBLINGS = 40;

/** A pause, which may be over. The times are those of the clock. */
interface Times {
  /** The 429 that began the pause, or made it longer. */
  readonly cause: RawResponse | undefined;
  readonly began: number;
  /** No call is sent before: at most `LONGEST_PAUSE` after it began. */
  readonly until: number;
  /** The service accepts no request before, as it said. */
  readonly saidUntil: number;
  /** The waiting calls return between `until` and this time, ahead of newer calls. */
  readonly returned: number;
}

/** Creates the pause of a client after a 429. All of its calls share the limit, so one response delays them all. */
export function createPause(
  { baseDelay, maxDelay }: { readonly baseDelay: number; readonly maxDelay: number },
  clock: Clock = monotonicClock,
) {
  let last: Times = { cause: undefined, began: 0, until: 0, saidUntil: 0, returned: 0 };
  /** The 429s in a row to requests that were sent after the pause before. */
  let rounds = 0;
  /** The pause was cut to `LONGEST_PAUSE`, so nobody knows whether the limit is over. */
  let mustTest = false;
  let test: PromiseWithResolvers<void> | undefined;

  /** Returns the milliseconds until calls may be sent again: at most `LONGEST_PAUSE`. */
  const left = (): number => Math.max(0, last.until - clock.now());
  /** Returns the milliseconds until the service accepts requests again, as it said. */
  const saidLeft = (): number => Math.max(0, last.saidUntil - clock.now());

  /** Records a 429 to a request that was sent at `sentAt`. `hint` is how long the server asks to wait, if it says so. */
  function begin(cause: RawResponse, request: { sentAt: number; hint: number | undefined }): void {
    const { sentAt, hint = 0 } = request;
    const now = clock.now();
    // The response to a request that was sent before the pause says nothing new, unless it names a time.
    const isNewRound = sentAt >= last.until;
    if (isNewRound) rounds++;
    const length = isNewRound ? lengthOfRound(hint) : hint;
    const saidUntil = now + length;
    if (!isNewRound && saidUntil <= last.saidUntil) return;
    const began = isNewRound ? now : last.began;
    const until = Math.min(saidUntil, began + LONGEST_PAUSE);
    mustTest = until < saidUntil;
    // Random, because newer calls of other clients also return then.
    const spread = ((hint > 0 ? spreadOf(until - now) : length) * (1 + Math.random())) / 2;
    last = { cause, began, until, saidUntil, returned: until + spread };
  }

  /**
   * A 429 after the time that the service named means that the time was wrong. The wait then grows, even if each 429 names a few
   * milliseconds.
   */
  function lengthOfRound(hint: number): number {
    if (hint > 0 && rounds === 1) return hint;
    const doubled = baseDelay * 2 ** Math.min(rounds - 1, MOST_DOUBLINGS);
    return Math.max(hint, Math.min(maxDelay, doubled));
  }

  /**
   * Resolves at a random moment after the pause, so that the calls do not all return at once. Only one call gets a test, which it
   * ends when it has ended itself. Rejects with a HeldBack if the service asks to wait longer than the call may last.
   */
  async function wait(deadline: CallEnds): Promise<LimitTest | undefined> {
    const { signal, timeLeft } = deadline;
    let isOver = false;
    while (!isOver && clock.now() < last.returned) {
      const isHeld = left() > 0 && saidLeft() >= timeLeft();
      if (last.cause !== undefined && isHeld)
        throw new HeldBack(last.cause, new Date(Date.now() + saidLeft()));
      isOver = await sleep(deadline);
    }
    if (!mustTest) return undefined;
    if (test === undefined) return startTest();
    await untilAborted(test.promise, signal());
    // Otherwise all calls that waited for the test would be sent at the same moment.
    if (!mustTest)
      await clock.sleep(Math.random() * Math.min(spreadOf(1), timeLeft() / 2), signal());
    return await wait(deadline);
  }

  /** Sleeps until this call's moment. Returns false if the pause has been extended in the meantime. */
  async function sleep({ signal, timeLeft }: CallEnds): Promise<boolean> {
    const { until, returned } = last;
    const now = clock.now();
    const moment = now < until ? until + Math.random() * (returned - until) : returned;
    const soonest = Math.max(now, until);
    // At least half of the remaining time is for the request.
    const latest = soonest + (now + timeLeft() - soonest) / 2;
    await clock.sleep(Math.min(moment, latest) - now, signal());
    return last.returned === returned;
  }

  /** Lets one call go alone. The others wait for its end, which decides whether they may follow. */
  function startTest(): LimitTest {
    const own = (test = Promise.withResolvers());
    return {
      end(wasSent) {
        // A call that waits again has ended its test before, and another call may have begun one.
        if (test !== own) return;
        test = undefined;
        if (wasSent && clock.now() >= last.until) mustTest = false;
        own.resolve();
      },
    };
  }

  return {
    left,
    saidLeft,
    begin,
    /** Records that the service accepts requests again. */
    end(sentAt: number): void {
      if (sentAt >= last.until) rounds = 0;
    },
    wait,
    /** Returns whether a call may be sent now, with what `wait` returned: a pause may have begun after its wait. */
    admits: (own: LimitTest | undefined): boolean =>
      left() <= 0 && (!mustTest || own !== undefined),
  };
}
