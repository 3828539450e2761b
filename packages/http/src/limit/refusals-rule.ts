import { MINUTE, TOO_MANY_REQUESTS, type Rule } from "./rule.ts";
import { createSentCount, type SentCount } from "./sent-count.ts";

/** A limit as far as a 429 shows it: what was accepted before it, and how long that took. */
interface Learned {
  limit: number;
  readonly window: number;
  /** What was sent until then belongs to the window that showed the limit. */
  readonly at: number;
  readonly sent: SentCount;
}

/** A limit whose window is not known yet: the service has rejected a request without saying for how long. */
interface Open {
  limit: number;
  readonly startedAt: number;
  readonly leastWindow: number;
  readonly at: number;
}

// A 429 after fewer requests than that within a minute says nothing of this client's limit: every limit that was seen is higher.
const FEWEST = 30;
// A 429 under a limit that was learned shows that the window is longer.
const TOO_SHORT = 1.5;
// What was learned is doubted when no 429 has come for so long. No window is held to be longer.
const FORGOTTEN_AFTER = 15 * MINUTE;

/**
 * What a 429 shows where no response says more: as many requests were accepted since the window began, and it ends when the service
 * says, or else when it accepts one again, which is tried with one request at a time.
 */
export function refusalsRule(): Rule {
  const lastMinute = createSentCount(MINUTE);
  let learned: Learned | undefined;
  let open: Open | undefined;

  const known = (now: number): Learned | undefined => {
    if (learned !== undefined && now >= learned.at + FORGOTTEN_AFTER) learned = undefined;
    return learned;
  };

  function room(now: number, inFlight: number): number {
    if (open !== undefined) return 1 - inFlight;
    const { limit = Infinity, sent } = known(now) ?? {};
    return limit - (sent?.within(now) ?? 0) - inFlight;
  }

  function learn({ limit, startedAt, leastWindow }: Open, until: number, at: number): void {
    const window = Math.min(FORGOTTEN_AFTER, Math.max(1, leastWindow, until - startedAt));
    learned = { limit, window, at, sent: createSentCount(window) };
    open = undefined;
  }

  return {
    limit: (now) => open?.limit ?? known(now)?.limit,
    room,
    untilRoom: (now, inFlight) =>
      open === undefined && room(now, inFlight) < 1 ? (known(now)?.sent.untilFree(now) ?? 0) : 0,
    pace(now) {
      const { limit = 1, window = 0 } = known(now) ?? {};
      return window / limit;
    },
    ended({ sentAt, response }, now) {
      if (response?.status === TOO_MANY_REQUESTS) return;
      const last = open ?? learned;
      // It was accepted in the window that the 429 belongs to.
      if (last !== undefined && sentAt <= last.at) last.limit++;
      else if (open !== undefined && response !== undefined) learn(open, now, sentAt);
      lastMinute.add(now);
      learned?.sent.add(now);
    },
    rejected({ sentAt, hint = 0 }, now) {
      const last = open ?? known(now);
      // One window rejects many, and what it shows is learned once.
      if (last !== undefined && sentAt <= last.at) return;
      const { sent, limit, window } = learned ?? {
        sent: lastMinute,
        limit: lastMinute.within(now),
        window: 0,
      };
      if (limit < FEWEST && last === undefined) return;
      const leastWindow = window * TOO_SHORT;
      const found = open ?? { limit, startedAt: sent.oldest(now), leastWindow, at: now };
      if (hint > 0) learn(found, now + hint, now);
      else open = found;
    },
  };
}
