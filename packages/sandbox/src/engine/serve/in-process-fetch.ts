import type { Handler } from "./serve.ts";

/** A `fetch` that calls a handler without a socket. */
export type InProcessFetch = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

/** Creates a `fetch`. A broken connection rejects like in Node. An abort rejects at once, while the handler continues. */
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
