import { systemClock, type Clock } from "@fieldmesh/core";
import { isApiError, isConnectionError, isTimeoutError } from "../errors/guards.ts";
import { mayPassStatus } from "./retry-policy.ts";
import { spread } from "./spread.ts";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;

/** How long to outlast failures. */
export interface Patience {
  /** Milliseconds since the first failure after which the next one is thrown. */
  readonly keepTrying: number;
  readonly signal: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Repeats a read until it succeeds, as long as it fails in a way that may pass. Only for reads, because it repeats whatever it is given.
 *
 * @example
 * ```ts
 * const page = await outlast(() => fetchPage(cursor), { keepTrying: 3_600_000, signal });
 * ```
 */
export async function outlast<T>(
  read: () => Promise<T>,
  { keepTrying, signal, clock = systemClock }: Patience,
): Promise<T> {
  let end: number | undefined;
  for (let limit = FIRST_WAIT; ; limit = Math.min(LONGEST_WAIT, limit * 2)) {
    try {
      return await read();
    } catch (error) {
      const now = clock.now();
      end ??= now + keepTrying;
      if (!mayPass(error) || now >= end) throw error;
      const asked = isApiError(error) ? (error.retryAt?.getTime() ?? now) - now : 0;
      // At least half of the limit, so that many clients do not return at once and none returns immediately.
      const wait = Math.max(spread(asked), limit * (0.5 + Math.random() / 2));
      // The last try is made when the time is over. An abort is an error of the read, which knows its call.
      await clock.sleep(Math.min(wait, end - now), signal).catch(() => undefined);
    }
  }
}

/** Whether the failure is of a kind that an outage has: not a wrong key, a wrong request or a wrong certificate. */
function mayPass(error: unknown): boolean {
  if (isConnectionError(error)) return error.mayPass;
  return isTimeoutError(error) || (isApiError(error) && mayPassStatus(error.status));
}
