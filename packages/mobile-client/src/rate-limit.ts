import { mistake, requires } from "@fieldmesh/core/internal";
import { readRateLimit } from "@fieldmesh/http/internal";

const SECOND = 1_000;

/** The state of a rate limit. Reads and writes have separate limits. */
export interface RateLimit {
  /** Requests per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until `remaining` equals `limit` again. */
  readonly resetsIn: number;
}

/**
 * Reads the state of the rate limit from the headers of a response or of an ApiError. Returns `undefined` if they do not contain
 * it, or if one of them is not a whole number.
 *
 * Every response has these headers. The limits are 600 reads and 120 writes per minute (observed).
 *
 * @example
 * ```ts
 * const { headers } = await withResponse(client.subscribers.get({ id }));
 * console.log(rateLimitOf(headers)?.remaining);
 * ```
 */
export function rateLimitOf(
  headers: Headers | Readonly<Record<string, string>>,
): RateLimit | undefined {
  if (typeof headers !== "object" || headers === null)
    throw requires("rateLimitOf", "headers", headers);
  const found = readRateLimit(readHeaders(headers));
  if (found === undefined) return undefined;
  const { limit, left, reset } = found;
  return { limit, remaining: left, resetsIn: reset / SECOND };
}

function readHeaders(headers: Headers | Readonly<Record<string, string>>): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw mistake("rateLimitOf requires the headers of a response, or of an ApiError.");
  }
}
