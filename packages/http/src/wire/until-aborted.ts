/**
 * Settles like the promise, or rejects with the reason of the signal as soon as it aborts. Use it for code of others, such as a
 * custom fetch, which may ignore the signal. The later result of the promise is dropped, even if it is an error.
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
