import { type Clock, monotonicClock } from "@fieldmesh/core";
import { type Deadline, untilAborted } from "../wire/deadline.ts";
import { LONGEST_PAUSE } from "../wire/hint.ts";
import type { RawResponse } from "../wire/read-body.ts";
import { spreadOf } from "./spread.ts";

/**
 * Delays the calls of one client after a 429. The calls share the pause, because they share the limit: one response applies to
 * all.
 */
export interface Pause {
  /** Returns true while calls have to wait. */
  isActive(): boolean;
  /** Returns true while only the call that tests whether a limit is over may be sent. */
  isTesting(): boolean;
  /** Returns the milliseconds until calls may be sent again: at most `LONGEST_PAUSE`. */
  left(): number;
  /** Returns the milliseconds until the service accepts requests again, as it said. */
  saidLeft(): number;
  /** Records a 429 to a request that was sent at `sentAt`. `hint` is how long the server asks to wait, if it says so. */
  begin(response: RawResponse, request: { sentAt: number; hint: number | undefined }): void;
  /** Records that the service accepts requests again. */
  end(sentAt: number): void;
  /** Resolves at a random moment after the pause, so that the calls do not all return at once. */
  wait(deadline: CallEnds): Promise<PauseEnd>;
}

type CallEnds = Pick<Deadline, "signal" | "timeLeft">;

/**
 * How a wait ended. A call is `held` if the service asks to wait longer than the call may last: the response says so. A call with
 * `testEnded` goes first and alone, and calls it when it has ended.
 */
export type PauseEnd =
  | { readonly held: RawResponse }
  | { readonly held?: undefined; readonly testEnded?: (wasSent: boolean) => void };

// More would exceed every delay, and end in Infinity, which no delay of 0 can be multiplied with.
const MOST_DOUBLINGS = 40;

/** Creates the pause of one client. */
export function createPause(
  { baseDelay, maxDelay }: { readonly baseDelay: number; readonly maxDelay: number },
  clock: Clock = monotonicClock,
): Pause {
  let cause: RawResponse | undefined;
  let began = 0;
  let until = 0;
  let saidUntil = 0;
  let returned = 0;
  let rounds = 0;
  /** The pause was cut to `LONGEST_PAUSE`, so nobody knows whether the limit is over. */
  let mustTest = false;
  let test: PromiseWithResolvers<void> | undefined;

  function begin(response: RawResponse, sentAt: number, hint: number): void {
    const now = clock.now();
    // The response to a request that was sent before the pause says nothing new, unless it names a time.
    const isNewRound = sentAt >= until;
    if (isNewRound) {
      rounds++;
      began = now;
    }
    const doubled = baseDelay * 2 ** Math.min(rounds - 1, MOST_DOUBLINGS);
    const guess = isNewRound ? Math.min(maxDelay, doubled) : 0;
    // A 429 after the time that the service named means that the time was wrong. The wait then grows, even if each 429 names a
    // few milliseconds.
    const length = hint > 0 && rounds <= 1 ? hint : Math.max(hint, guess);
    if (now + length <= saidUntil && !isNewRound) return;
    cause = response;
    saidUntil = now + length;
    until = Math.min(saidUntil, began + LONGEST_PAUSE);
    mustTest = until < saidUntil;
    // The waiting calls return before this time, ahead of newer calls. It is random, because newer calls of other clients also
    // return then.
    returned = until + ((hint > 0 ? spreadOf(until - now) : length) * (1 + Math.random())) / 2;
  }

  /** Lets one call go alone. The others wait for its end, which decides whether they may follow. */
  function startTest(): PauseEnd {
    const own = (test = Promise.withResolvers());
    return {
      testEnded(wasSent) {
        test = undefined;
        if (wasSent && clock.now() >= until) mustTest = false;
        own.resolve();
      },
    };
  }

  /** Sleeps until this call's moment. Returns false if the pause has been extended in the meantime. */
  async function sleep({ signal, timeLeft }: CallEnds): Promise<boolean> {
    const now = clock.now();
    const moment = now < until ? until + Math.random() * (returned - until) : returned;
    const soonest = Math.max(now, until);
    // At least half of the remaining time is for the request.
    const latest = soonest + (now + timeLeft() - soonest) / 2;
    const end = returned;
    await clock.sleep(Math.min(moment, latest) - now, signal());
    return returned === end;
  }

  async function wait(deadline: CallEnds): Promise<PauseEnd> {
    let isOver = false;
    while (!isOver && clock.now() < returned) {
      const isHeld = clock.now() < until && saidUntil - clock.now() >= deadline.timeLeft();
      if (cause !== undefined && isHeld) return { held: cause };
      isOver = await sleep(deadline);
    }
    if (!mustTest) return {};
    if (test === undefined) return startTest();
    await untilAborted(test.promise, deadline.signal());
    const { signal, timeLeft } = deadline;
    // Otherwise all calls that waited for the test would be sent at the same moment.
    if (!mustTest)
      await clock.sleep(Math.random() * Math.min(spreadOf(1), timeLeft() / 2), signal());
    return await wait(deadline);
  }

  return {
    isActive: () => mustTest || clock.now() < returned,
    isTesting: () => mustTest,
    left: () => Math.max(0, until - clock.now()),
    saidLeft: () => Math.max(0, saidUntil - clock.now()),
    begin: (response, { sentAt, hint = 0 }) => begin(response, sentAt, hint),
    end(sentAt) {
      if (sentAt >= until) rounds = 0;
    },
    wait,
  };
}
