import { hasMethod } from "./record.ts";

// Why it is so: docs/decisions/35-every-wait-has-an-end.md

/** Calls a function after a time, unless it is stopped. A process that has nothing else to do ends before. */
export function watchFor(milliseconds: number, report: () => void): () => void {
  const timer: unknown = setTimeout(report, milliseconds);
  // Browsers have numbers.
  if (hasMethod(timer, "unref")) (timer as { unref(): void }).unref();
  return () => clearTimeout(timer as number);
}

/**
 * Waits for the code of others, such as a store or a function of the user, but not longer than the given milliseconds. Then
 * rejects with an Error with the message. A later result is dropped, even if it is an error: `undo` receives one that would
 * otherwise be held by nobody, such as a lease or a connection. A process that has nothing else to do ends before.
 */
export function within<T>(
  milliseconds: number,
  work: () => T | PromiseLike<T>,
  message: string,
  undo?: (result: T) => unknown,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let isLate = false;
  const stop = watchFor(milliseconds, () => {
    isLate = true;
    reject(new Error(message));
  });
  const run = async (): Promise<void> => {
    try {
      const result = await work();
      if (isLate) await undo?.(result);
      resolve(result);
    } catch (error) {
      reject(error);
    } finally {
      stop();
    }
  };
  void run();
  return promise;
}

/** The reason of a signal whose work has ended. `abort()` without a reason would create an error with a stack each time. */
export const ENDED: Error = /* @__PURE__ */ Object.defineProperty(
  new Error("This operation was aborted"),
  "name",
  { value: "AbortError" },
);
