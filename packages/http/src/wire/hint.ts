import type { RawResponse } from "./read-body.ts";
import { STATUS } from "../errors/statuses.ts";

const MINUTE = 60_000;
/** No limit that a service names has a longer window. A longer RateLimit-Reset is a time since 1970. */
const LONGEST_WINDOW = 60 * MINUTE;
/** No call waits longer because a service asks for it. Then one request tests whether the limit is over. */
export const LONGEST_PAUSE = 5 * MINUTE;
/** A year: longer than any real wait, and still a valid Date. */
const LONGEST_HINT = 365 * 24 * 60 * MINUTE;

/** Returns how many milliseconds a service asks to wait. `readOwn` reads its own hint, more exact than a header. */
export function readHint(
  response: RawResponse,
  readOwn?: (response: RawResponse) => number | undefined,
): number | undefined {
  const { status, headers } = response;
  const hint =
    readOwn?.(response) ??
    readRetryAfter(headers) ??
    (status === STATUS.tooManyRequests ? readRateLimitReset(headers) : undefined);
  return hint === undefined ? undefined : Math.min(hint, LONGEST_HINT);
}

/**
 * Reads a Retry-After header: seconds, or a date. A date is compared with the Date header of the response, because the two clocks
 * may differ. Returns milliseconds, or `undefined` if the header is missing or malformed.
 */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("retry-after");
  if (/^\s*\d+(\.\d+)?\s*$/.test(value ?? "")) return Number(value) * 1000;
  const until = readHttpDate(value);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readHttpDate(headers.get("date")) ?? now));
}

/** Reads RateLimit-Reset, in seconds, as milliseconds; `undefined` for a time since 1970, which some services send (observed). */
export function readRateLimitReset(headers: Headers): number | undefined {
  const value = headers.get("ratelimit-reset") ?? "";
  const wait = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Infinity;
  return wait <= LONGEST_WINDOW ? wait : undefined;
}

/** What the headers of a response say about the rate limit. */
export interface RateLimitHeaders {
  readonly limit: number;
  /** Requests that remain in this window. */
  readonly left: number;
  /** Milliseconds until the window ends. */
  readonly reset: number;
}

/** Reads RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset. Returns `undefined` unless all three are present. (observed) */
export function readRateLimit(headers: Headers): RateLimitHeaders | undefined {
  const limit = readCount(headers, "ratelimit-limit");
  // Most services send none of them, and each header look-up costs a microsecond.
  if (limit === undefined) return undefined;
  const left = readCount(headers, "ratelimit-remaining");
  const reset = readRateLimitReset(headers);
  return left === undefined || reset === undefined ? undefined : { limit, left, reset };
}

function readCount(headers: Headers, name: string): number | undefined {
  const value = headers.get(name) ?? "";
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

// The three forms of a date in HTTP. Date.parse reads other strings as dates too: "later 99999" is a year to it.
const HTTP_DATE = /^[A-Z][a-z]+,? [-\w ]+ \d\d:\d\d:\d\d (GMT|\d{4})$/;

/** Reads a date of HTTP, such as that of the Date header. It has other forms than the times of a service, and no microseconds. */
export function readHttpDate(header: string | null | undefined): number | undefined {
  const [text, end] = HTTP_DATE.exec(header?.trim() ?? "") ?? [];
  // The third form has no zone and is UTC too.
  const time = Date.parse(end === "GMT" ? `${text}` : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
