/**
 * Settles as the promise does, or rejects with the reason of the signal as soon as that is aborted: what others wrote, such as a function that fetches, may not end by
 * itself. What the promise comes to afterwards is dropped, also a rejection.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
