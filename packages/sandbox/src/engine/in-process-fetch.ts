import type { Handler } from "./serve.ts";

/** A `fetch` that reaches a handler without a socket. */
export type InProcessFetch = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

/**
 * Makes a `fetch` of a handler. Where a connection would break it rejects as Node's fetch does. An abort rejects at
 * once, while the handler continues, as a server would that has the request already.
 */
export function toFetch(handler: Handler): InProcessFetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    return await Promise.race([handler(request), aborted]);
  };
}
