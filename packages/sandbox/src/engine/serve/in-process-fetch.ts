import type { Handler } from "./serve.ts";

/** A `fetch` that calls a handler without a socket. */
export type InProcessFetch = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

/**
 * Creates a `fetch` from a handler. If a fault breaks the connection, it rejects like Node's fetch. An abort rejects immediately,
 * while the handler continues, like a server that already has the request.
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
