import { systemClock } from "@fieldmesh/core";
import type { Settings } from "../options/settings.ts";
import type { RawResponse } from "../wire/fetch-attempt.ts";
import { AttemptFailed } from "../send/failure.ts";
import { spreadOf } from "./spread.ts";

/**
 * Delays the calls of one client after a 429. The calls share the pause, because they share the limit: one response applies to
 * all.
 */
export interface Pause {
  /** Returns true while calls have to wait. */
  isActive(): boolean;
  /** Returns the milliseconds until the service accepts requests again, as far as known. */
  left(): number;
  /** Records a 429 to a request that was sent at `sentAt`. `hint` is how long the server asks to wait, if it says so. */
  begin(response: RawResponse, request: { sentAt: number; hint: number | undefined }): void;
  /** Records that the service accepts requests again. */
  end(sentAt: number): void;
  /**
   * Resolves at a random moment after the pause, so that the calls do not all return at once. Throws immediately if the pause is
   * longer than the rest of the call.
   */
  wait(call: { readonly signal: AbortSignal; readonly timeLeft: () => number }): Promise<void>;
}

/** Creates the pause of one client. Times are those of `performance.now()`. */
export function createPause({ baseDelay, maxDelay }: Settings): Pause {
  let cause: RawResponse | undefined;
  let until = 0;
  let returned = 0;
  let rounds = 0;
  return {
    isActive: () => performance.now() < returned,
    left: () => Math.max(0, until - performance.now()),
    begin(response, { sentAt, hint = 0 }) {
      // The response to a request that was sent before the pause says nothing new, unless it names a time.
      const isNewRound = sentAt >= until;
      if (isNewRound) rounds++;
      const guess = isNewRound ? Math.min(maxDelay, baseDelay * 2 ** (rounds - 1)) : 0;
      // A 429 after the time that the service named means that the time was wrong. The wait then grows, even if each 429 names a
      // few milliseconds.
      const length = hint > 0 && rounds <= 1 ? hint : Math.max(hint, guess);
      const spread = hint > 0 ? spreadOf(length) : length;
      const end = performance.now() + length;
      if (end <= until) return;
      cause = response;
      until = end;
      // The waiting calls return before this time, ahead of newer calls. It is random, because newer calls of other clients also
      // return then.
      returned = end + (spread * (1 + Math.random())) / 2;
    },
    end(sentAt) {
      if (sentAt >= until) rounds = 0;
    },
    async wait({ signal, timeLeft }) {
      // The pause may have been extended in the meantime.
      for (let now = performance.now(); now < returned; now = performance.now()) {
        if (cause !== undefined && until - now >= timeLeft())
          throw new AttemptFailed({ kind: "held", response: cause });
        const turn = now < until ? until + Math.random() * (returned - until) : returned;
        const soonest = Math.max(now, until);
        // At least half of the remaining time is for the request.
        const latest = soonest + (now + timeLeft() - soonest) / 2;
        const end = returned;
        await systemClock.sleep(Math.min(turn, latest) - now, signal);
        if (returned === end) return;
      }
    },
  };
}
