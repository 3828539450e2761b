/**
 * Converts an ISO 8601 timestamp to a Date. A timestamp without a zone is UTC; `new Date` would read it as local time.
 *
 * Returns an Invalid Date for any other string.
 */
export function dateOfStamp(stamp: string): Date {
  if (!/^\d{4}-\d{2}-\d{2}(T|$)/i.test(stamp)) return new Date(Number.NaN);
  return new Date(/^.{10}T[^Z+-]*$/i.test(stamp) ? `${stamp}Z` : stamp);
}

const SECOND = 1_000;
/** The last moment that a Date supports. Its negative is the first. */
const LAST_TIME = 8.64e15;

/**
 * Returns the milliseconds since 1970 of a timestamp: an ISO 8601 string, or seconds as a number. Returns `undefined` for a
 * timestamp that is not a date, whose `toISOString` would throw.
 */
export function millisecondsOf(stamp: unknown): number | undefined {
  return ifDate(typeof stamp === "number" ? stamp * SECOND : dateOfStamp(String(stamp)).getTime());
}

/** Returns milliseconds since 1970, or `undefined` if no Date has them. */
export function ifDate(time: number): number | undefined {
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}
