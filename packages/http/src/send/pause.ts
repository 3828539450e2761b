import { systemClock } from "@fieldmesh/core";
import type { Settings } from "../options/settings.ts";
import type { RawResponse } from "./fetch-attempt.ts";
import { AttemptFailed } from "./failure.ts";
import { spreadOf } from "./spread.ts";

/**
 * Holds back the calls of one client after a 429. They share it: a limit counts what all of them send, so one response
 * speaks for all.
 */
export interface Pause {
  /** Returns true while calls have to wait. */
  isActive(): boolean;
  /** Milliseconds until the service accepts requests again, as far as it is known. */
  left(): number;
  /** Adds a 429 to a request that was sent at `sentAt`. `hint` is how long the server asks to wait, if it says so. */
  begin(response: RawResponse, request: { sentAt: number; hint: number | undefined }): void;
  /** Records that the service accepts requests again. */
  end(sentAt: number): void;
  /**
   * Resolves when the pause is over, at a random moment, so that the calls do not return all at once. Throws at once when the
   * pause lasts longer than the call may.
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
      // A request that was in progress when the pause began tells nothing new, unless it names a time.
      const isNewRound = sentAt >= until;
      if (isNewRound) rounds++;
      const guess = isNewRound ? Math.min(maxDelay, baseDelay * 2 ** (rounds - 1)) : 0;
      // A service that says 429 after the time it named did not know: the wait grows also where it names a few milliseconds each time.
      const length = hint > 0 && rounds <= 1 ? hint : Math.max(hint, guess);
      const spread = hint > 0 ? spreadOf(length) : length;
      const end = performance.now() + length;
      if (end <= until) return;
      cause = response;
      until = end;
      // The calls that waited return until then, ahead of calls that were made later. Random too, because another client's later calls return then.
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
        // At least half of the time that is left is for the request.
        const latest = soonest + (now + timeLeft() - soonest) / 2;
        const end = returned;
        await systemClock.sleep(Math.min(turn, latest) - now, signal);
        if (returned === end) return;
      }
    },
  };
}
