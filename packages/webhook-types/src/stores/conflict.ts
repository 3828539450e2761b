import { monotonicClock } from "@fieldmesh/core/internal";

export const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";

const MOST_AGAIN = 3;
// Long enough for the other transaction to end, and different in each process.
const LEAST_WAIT = 20;
const MOST_WAIT = 200;

/** Runs a transaction again after a conflict with another one: three times at most, and not once the signal has aborted. */
export async function againAfterConflict<T>(
  run: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let again = 0; ; again++) {
    try {
      return await run();
    } catch (error) {
      if (again === MOST_AGAIN || !isConflict(error)) throw error;
      const wait = LEAST_WAIT + Math.random() * (MOST_WAIT - LEAST_WAIT);
      await monotonicClock.sleep(wait, signal).catch(() => undefined);
      if (signal?.aborted === true) throw error;
    }
  }
}

/** A router collects the errors of handlers, and a handler may wrap the error of its query. */
function isConflict(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > DEEPEST) return false;
  const { code, cause, errors } = error as Readonly<Record<"code" | "cause" | "errors", unknown>>;
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK) return true;
  return [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].some((each) =>
    isConflict(each, depth + 1),
  );
}

const DEEPEST = 5;
