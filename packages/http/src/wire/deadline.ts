import { type Clock, ENDED, monotonicClock } from "@fieldmesh/core/internal";
import type { TimeoutError } from "../errors/timeout-error.ts";

/** The reason of the signal after `totalTimeout`. */
export const TIME_IS_UP = new Error("totalTimeout has passed");

/** The end of a call: after its `totalTimeout`, or earlier if the caller's signal aborts. */
export interface Deadline {
  /** Milliseconds until `totalTimeout`. Negative after it. */
  timeLeft(): number;
  /** Returns the signal that aborts at the end of the call. The first call creates it, because most calls never wait. */
  signal(): AbortSignal;
  /** Removes the timer and the listener. */
  close(): void;
}

/** Keeps requests within a lease that another process may take over. Only other packages of ours set it. */
export interface Fence {
  /** How many milliseconds a request may take now. Without any, it is not sent. */
  readonly timeLeft: () => number;
  /** Called in place of a request that is not sent. It aborts the signal of the call. */
  readonly reject: () => void;
}

/** The limit that ends a wait first. */
export interface TimeLimit {
  /** The option that an error names. A lease makes `timeout` shorter. */
  readonly limit: TimeoutError["limit"];
  /** The milliseconds that an error names. */
  readonly after: number;
  /** Milliseconds until then. */
  readonly left: number;
}

/** Returns the shortest of the limits of an attempt. `timeLeft`: milliseconds until `totalTimeout`. */
export function shortestLimit(
  { timeout, totalTimeout }: { readonly timeout: number; readonly totalTimeout: number },
  timeLeft: number,
  fence?: Fence,
): TimeLimit {
  // Without time in its lease, a request is rejected before fetch.
  const longest = Math.min(timeout, Math.max(1, fence?.timeLeft() ?? Infinity));
  return longest < timeLeft
    ? { limit: "timeout", after: Math.round(longest), left: longest }
    : { limit: "totalTimeout", after: totalTimeout, left: timeLeft };
}

/** Starts the deadline of a call. Everything that ends with the call derives from it. */
export function createDeadline(
  totalTimeout: number,
  signal: AbortSignal | undefined,
  clock: Clock = monotonicClock,
): Deadline {
  const end = clock.now() + totalTimeout;
  let ended: AbortController | undefined;
  const timeLeft = (): number => end - clock.now();
  const abort = (): void => ended?.abort(signal?.reason);

  function start(): AbortController {
    const controller = (ended = new AbortController());
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort);
    clock.sleep(timeLeft(), controller.signal).then(
      () => controller.abort(TIME_IS_UP),
      () => undefined,
    );
    return controller;
  }

  return {
    timeLeft,
    signal: () => (ended ?? start()).signal,
    close() {
      signal?.removeEventListener("abort", abort);
      ended?.abort(ENDED);
    },
  };
}

/**
 * Settles like the promise, or rejects with the reason of the signal as soon as it aborts. Use it for code of others, such as a
 * custom fetch, which may ignore the signal. The later result of the promise is dropped, even if it is an error.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
