/**
 * Reads a Retry-After header: seconds, or a date. A date is compared with the Date header of the response, because the two clocks
 * may differ. Returns milliseconds, or `undefined` if the header is missing or malformed.
 */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse reads "-5" as a year. An HTTP date begins with the name of its day.
  const until = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

/** Reads the RateLimit-Reset header, in seconds, and returns milliseconds. (observed) */
export function readRateLimitReset(headers: Headers): number | undefined {
  const value = headers.get("ratelimit-reset")?.trim() ?? "";
  return /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
}
