import { steadyClock, systemClock, type Clock } from "@fieldmesh/core/internal";
import { ConnectionError } from "../errors/connection-error.ts";
import { isApiError } from "../errors/is-api-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { spread } from "../limit/spread.ts";
import { LONGEST_PAUSE } from "../wire/hint.ts";
import { mayPassStatus } from "./retry-policy.ts";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;

/** How long to retry. */
export interface Patience {
  /** Milliseconds after the first failure. A later failure is thrown. */
  readonly keepTrying: number;
  readonly signal: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/** Repeats a read until it succeeds, while its failures may pass. Only for reads, because it repeats any request. */
export async function outlast<T>(
  read: () => Promise<T>,
  { keepTrying, signal, clock = systemClock }: Patience,
): Promise<T> {
  // A clock that is set back or forward neither ends the patience nor makes it longer.
  const steady = steadyClock(clock);
  let end: number | undefined;
  for (let limit = FIRST_WAIT; ; limit = Math.min(LONGEST_WAIT, limit * 2)) {
    try {
      return await read();
    } catch (error) {
      end ??= steady.now() + keepTrying;
      const left = end - steady.now();
      if (!mayPass(error) || left <= 0) throw error;
      const retryAt = isApiError(error) ? error.retryAt?.getTime() : undefined;
      const asked = retryAt === undefined ? 0 : retryAt - clock.now();
      const believed = Math.min(asked, LONGEST_PAUSE);
      // At least half of the limit, so that many clients do not return at the same moment and none returns immediately.
      const wait = Math.max(spread(believed), limit * (0.5 + Math.random() / 2));
      // The last try happens at the end of the time. The read itself reports an abort, because it knows its call.
      await steady.sleep(Math.min(wait, left), signal).catch(() => undefined);
    }
  }
}

/** Tells whether a failure is typical for an outage, unlike a wrong key, a wrong request or a wrong certificate. */
function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.mayPass;
  return error instanceof TimeoutError || (isApiError(error) && mayPassStatus(error.status));
}
