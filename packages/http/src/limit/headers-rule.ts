import { readRateLimitReset } from "../wire/hint.ts";
import { MINUTE, type Rule } from "./rule.ts";

/** What a response says about a budget. */
interface SaidBudget {
  readonly limit: number;
  /** Requests that remain until `endsAt`. */
  readonly left: number;
  readonly endsAt: number;
}

const SECOND = 1_000;
const LONGEST_WINDOW = 60 * MINUTE;
// Seconds are rounded, and responses overtake each other: window ends closer than this belong to one window.
const SAME_WINDOW = 1.5 * SECOND;

/** A rule from the headers of each response: how many requests remain, and when the window ends. */
export function headersRule(): Rule {
  let said: SaidBudget | undefined;

  function room(now: number, inFlight: number): number {
    if (said === undefined) return Infinity;
    if (now < said.endsAt) return said.left - inFlight;
    // Other clients may already use the new window. After an exhausted window, a single request goes first, and its response
    // tells.
    const wasUsedUp = said.left === 0 && now < said.endsAt + MINUTE;
    return (wasUsedUp ? 1 : said.limit) - inFlight;
  }

  return {
    limit: () => said?.limit,
    room,
    untilRoom: (now, inFlight) =>
      said === undefined || room(now, inFlight) >= 1 ? 0 : said.endsAt - now,
    pace: (now, inFlight) =>
      said === undefined || now >= said.endsAt
        ? 0
        : (said.endsAt - now) / Math.max(1, said.left - inFlight),
    ended(response, now) {
      if (response !== undefined) said = newer(said, readBudget(response.headers, now), now);
    },
  };
}

/** Reads RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset. Returns `undefined` unless all three are present. (observed) */
function readBudget(headers: Headers, now: number): SaidBudget | undefined {
  const limit = readCount(headers, "ratelimit-limit");
  // Most services send none of them, and each header look-up costs a microsecond.
  if (limit === undefined || limit === 0) return undefined;
  const left = readCount(headers, "ratelimit-remaining");
  const reset = readRateLimitReset(headers);
  if (left === undefined || reset === undefined) return undefined;
  // Other services send a time since 1970. Waiting for it would never end.
  if (reset > LONGEST_WINDOW) return undefined;
  return { limit, left, endsAt: now + reset };
}

function readCount(headers: Headers, name: string): number | undefined {
  const value = headers.get(name) ?? "";
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Merges two responses. Within one window the lowest number counts, because responses overtake each other. */
function newer(
  known: SaidBudget | undefined,
  next: SaidBudget | undefined,
  now: number,
): SaidBudget | undefined {
  if (known === undefined || next === undefined || now >= known.endsAt) return next;
  if (next.endsAt > known.endsAt + SAME_WINDOW) return next;
  return {
    limit: next.limit,
    left: Math.min(known.left, next.left),
    endsAt: Math.max(known.endsAt, next.endsAt),
  };
}
