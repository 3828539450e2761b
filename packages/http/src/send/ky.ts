// Why it is so: docs/decisions/02-one-funnel.md
import { signalOf } from "@fieldmesh/core/internal";
import ky from "ky";

/** What ky receives of a request. Its errors show no more than that. */
export interface KyRequest {
  readonly origin: string;
  readonly method: string;
  /** Milliseconds until ky ends the attempt. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes one attempt through ky, which applies the timeout and the signal. `send` sends the real request: path, query, headers and
 * body never reach ky, so no error of ky can contain them.
 *
 * When this function ends, `send` has ended too. It must end when its signal aborts.
 */
export async function attemptThroughKy<T>(
  { origin, method, timeout, signal }: KyRequest,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let sending: Promise<T> | undefined;
  let sent: T | undefined;
  try {
    await ky(origin, {
      method,
      timeout,
      retry: 0,
      ...(signal && { signal: signalOf(signal) }),
      fetch: async (request) => {
        const ended = (request as Request).signal;
        ended.throwIfAborted();
        sending = send(ended);
        sent = await sending;
        return new Response(null);
      },
    });
  } catch (error) {
    await sending?.catch(() => undefined);
    throw error;
  }
  // ky resolves only after fetch has.
  return sent as T;
}

/** Tells whether ky ended the attempt: it throws its own TimeoutError, or the request rejects with the reason of its signal. */
export function isTimeoutOfKy(error: unknown): boolean {
  const { name } = Object(error) as { name?: unknown };
  return name === "TimeoutError" || name === "AbortError";
}
