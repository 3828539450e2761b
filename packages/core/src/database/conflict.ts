import { monotonicClock } from "../clock.ts";
import { faultOf } from "./faults.ts";

const MOST_AGAIN = 3;
// Long enough for the other transaction to end, and different in each process.
const LEAST_WAIT = 20;
const MOST_WAIT = 200;

/** Runs a transaction again after a conflict with another one: three times at most, and not once the signal has aborted. */
export async function againAfterConflict<T>(
  run: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let again = 0; ; again++) {
    try {
      return await run();
    } catch (error) {
      if (again === MOST_AGAIN || faultOf(error) !== "conflict") throw error;
      const wait = LEAST_WAIT + Math.random() * (MOST_WAIT - LEAST_WAIT);
      await monotonicClock.sleep(wait, signal).catch(() => undefined);
      if (signal?.aborted === true) throw error;
    }
  }
}
