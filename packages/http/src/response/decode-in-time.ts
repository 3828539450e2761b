import { AbortError } from "../errors/abort-error.ts";
import type { CallFacts } from "../errors/call-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { untilAborted } from "../wire/until-aborted.ts";
import { decodeResponse, type DecodedResponse } from "./decode.ts";
import type { ResponseToDecode } from "./response-to-decode.ts";

/** Decodes a response. A user's schema may be async and never settle, so `signal` and `totalTimeout` end the call nevertheless. */
export async function decodeInTime(
  received: ResponseToDecode,
  { signal, timeLeft }: { readonly signal: AbortSignal | undefined; readonly timeLeft: number },
): Promise<DecodedResponse> {
  const decoded = decodeResponse(received);
  if (received.schema === undefined) return await decoded;
  const limit = new AbortController();
  // Node prints a warning for a negative time.
  const timer = setTimeout(() => limit.abort(), Math.max(0, timeLeft));
  const end = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  try {
    return await untilAborted(decoded, end);
  } catch (error) {
    if (!end.aborted || error !== end.reason) throw error;
    const { bound, attempts, settings } = received;
    const facts: CallFacts = {
      call: bound.call,
      route: bound.row.route,
      outcome: "applied",
      attempts,
    };
    if (signal?.aborted === true) throw new AbortError(facts, signal.reason);
    throw new TimeoutError(facts, "totalTimeout", settings.totalTimeout);
  } finally {
    clearTimeout(timer);
  }
}
