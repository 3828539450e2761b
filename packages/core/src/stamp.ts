/**
 * Converts an ISO 8601 timestamp to a Date. A timestamp without a zone is UTC; `new Date` would read it as local time.
 *
 * Returns an Invalid Date for any other string.
 */
export function dateOfStamp(stamp: string): Date {
  if (!/^\d{4}-\d{2}-\d{2}(T|$)/i.test(stamp)) return new Date(Number.NaN);
  return new Date(/^.{10}T[^Z+-]*$/i.test(stamp) ? `${stamp}Z` : stamp);
}
