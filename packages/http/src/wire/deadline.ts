import { monotonicClock, type Clock } from "@fieldmesh/core";

/** The reason of the signal after `totalTimeout`. */
export const TIME_IS_UP = new Error("totalTimeout has passed");

/** The end of a call: after its `totalTimeout`, or earlier if the caller's signal aborts. */
export interface Deadline {
  /** Milliseconds until `totalTimeout`. Negative after it. */
  timeLeft(): number;
  /** Aborts at the end of the call. It is created when it is first read, because most calls never wait. */
  readonly signal: AbortSignal;
  /** Removes the timer and the listener. */
  close(): void;
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
    else signal?.addEventListener("abort", abort, { once: true });
    clock.sleep(timeLeft(), controller.signal).then(
      () => controller.abort(TIME_IS_UP),
      () => undefined,
    );
    return controller;
  }

  return {
    timeLeft,
    get signal() {
      return (ended ?? start()).signal;
    },
    close() {
      signal?.removeEventListener("abort", abort);
      ended?.abort();
    },
  };
}
