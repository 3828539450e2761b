import { LONGEST_PAUSE, readRateLimit, type RateLimitHeaders } from "../wire/hint.ts";
import { MINUTE, type Rule } from "./rule.ts";

/** What a response says about the permits of a window. */
interface SaidLimit extends RateLimitHeaders {
  readonly endsAt: number;
  /** When a single request may test whether the window has ended early. */
  readonly testAt: number;
}

const SECOND = 1_000;
// Seconds are rounded, and responses overtake each other: window ends closer than this belong to one window.
const SAME_WINDOW = 1.5 * SECOND;

/** A rule from the headers of each response: how many requests remain, and when the window ends. */
export function headersRule(): Rule {
  let said: SaidLimit | undefined;

  function free(now: number, inUse: number): number {
    if (said === undefined) return Infinity;
    // Other clients may already use the new window. After an exhausted window, a single request goes first, and its response
    // tells.
    const wasUsedUp = said.left === 0 && now < said.endsAt + MINUTE;
    if (now >= said.endsAt) return (wasUsedUp ? 1 : said.limit) - inUse;
    const left = said.left - inUse;
    return left < 1 && now >= said.testAt ? 1 - inUse : left;
  }

  return {
    limit: () => said?.limit,
    free,
    untilFree: (now, inUse) => {
      if (said === undefined || free(now, inUse) >= 1) return 0;
      return (now < said.testAt ? Math.min(said.testAt, said.endsAt) : said.endsAt) - now;
    },
    interval: (now, inUse) =>
      said === undefined || now >= said.endsAt
        ? 0
        : (said.endsAt - now) / Math.max(1, said.left - inUse),
    ended(response, now) {
      if (response !== undefined) said = newer(said, readLimit(response.headers, now), now);
    },
  };
}

function readLimit(headers: Headers, now: number): SaidLimit | undefined {
  const said = readRateLimit(headers);
  return said?.limit
    ? { ...said, endsAt: now + said.reset, testAt: now + LONGEST_PAUSE }
    : undefined;
}

/** Merges two responses. Within one window the lowest number counts, because responses overtake each other. */
function newer(
  known: SaidLimit | undefined,
  next: SaidLimit | undefined,
  now: number,
): SaidLimit | undefined {
  if (known === undefined || next === undefined) return next;
  if (now >= known.endsAt || now >= known.testAt) return next;
  if (next.endsAt > known.endsAt + SAME_WINDOW) return next;
  return {
    ...next,
    left: Math.min(known.left, next.left),
    endsAt: Math.max(known.endsAt, next.endsAt),
  };
}
