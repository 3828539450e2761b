import {
  CallError,
  ConnectionError,
  isApiError,
  mayBeAtWork,
  spread,
  STATUS,
  TimeoutError,
  type CallOptions,
  type Fence,
} from "@fieldmesh/http/internal";
import { twice, type RunContext } from "./bulk-settings.ts";
import { doubt } from "./chunks.ts";
import type { Doubt, PendingItem } from "./run-parts.ts";

/** How a request of a run is sent. The fence is not in the options that a user knows. */
export type How = readonly [options: CallOptions, fence?: Fence | undefined];

// The most sends of a request that was never accepted, in addition to the attempts of the transport.
const MAX_SENDS = 6;
const FIRST_WAIT = 1_000;
// Enough for an hourly limit. After a longer Retry-After, the run ends, and can resume from its checkpoint.
const LONGEST_WAIT = 3_600_000;

/**
 * Repeats a request that certainly did nothing. Returns one that may be carried out, as broken, with a doubt about its inputs.
 * Throws any other failure.
 */
export async function sendPatiently<T>(
  call: string,
  items: readonly PendingItem[],
  { signal, timeout, priority, clock, during, announce, fence }: RunContext,
  send: (...how: How) => Promise<T>,
): Promise<{ response: T } | { broken: CallError }> {
  const options = { signal, timeout, totalTimeout: twice(timeout), priority };
  let sends = 1;
  for (;;) {
    await announce();
    try {
      const work = () => send(options, fence);
      return { response: await during(`${call} has not responded yet`, work) };
    } catch (error) {
      const kind = doubtAfter(error);
      if (kind !== undefined) doubt(items, kind);
      if (!(error instanceof CallError)) throw error;
      if (kind !== undefined) return { broken: error };
      const isLimited = isApiError(error, STATUS.tooManyRequests);
      const retryAt = isLimited ? error.retryAt?.getTime() : undefined;
      // A call that timed out before it was sent has waited for the rate limit, which others have used up.
      const isPassing =
        isLimited || error instanceof ConnectionError || error instanceof TimeoutError;
      // Both by the clock of the machine, which may have been set since the run began.
      const asked = retryAt === undefined ? 0 : retryAt - Date.now();
      const least = Math.max(FIRST_WAIT * 2 ** (sends - 1), asked);
      if (!isPassing || sends === MAX_SENDS || least > LONGEST_WAIT) throw error;
      // A server that says when it accepts the request works, so it may say so any number of times.
      if (retryAt === undefined) sends++;
      const wait = spread(least);
      await during(error.message, () => clock.sleep(wait, signal), clock.now() + wait);
    }
  }
}

/** Returns why a request that ended with the error may have been carried out. */
function doubtAfter(error: unknown): Doubt | undefined {
  if (!(error instanceof CallError)) return "at_work";
  if (error.outcome === "not_sent" || error.outcome === "rejected") return undefined;
  if (hasSuccess(error)) return "responded";
  return mayBeAtWork(error) ? "at_work" : "broken";
}

/** Tells whether the console responded with a 2xx, whose body is not readable or broke off. */
function hasSuccess({ outcome, attempts }: CallError): boolean {
  const isSuccess = ({ status = 0 }: (typeof attempts)[number]) => status >= 200 && status <= 299;
  return outcome === "applied" || attempts.some(isSuccess);
}
