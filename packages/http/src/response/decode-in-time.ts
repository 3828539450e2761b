import { AbortError } from "../errors/abort-error.ts";
import type { CallFacts } from "../errors/call-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import type { Deadline } from "../wire/deadline.ts";
import { untilAborted } from "../wire/until-aborted.ts";
import { decodeResponse, type DecodedResponse } from "./decode.ts";
import type { ResponseToDecode } from "./response-to-decode.ts";

/** Decodes a response. A user's schema may be async and never settle, so the deadline ends the call nevertheless. */
export async function decodeInTime(
  received: ResponseToDecode,
  { signal, deadline }: { readonly signal: AbortSignal | undefined; readonly deadline: Deadline },
): Promise<DecodedResponse> {
  const decoded = decodeResponse(received);
  if (received.schema === undefined) return await decoded;
  const ended = deadline.signal();
  try {
    return await untilAborted(decoded, ended);
  } catch (error) {
    if (!ended.aborted || error !== ended.reason) throw error;
    const { bound, attempts, settings } = received;
    const facts: CallFacts = {
      call: bound.call,
      route: bound.row.route,
      outcome: "applied",
      attempts,
    };
    if (signal?.aborted === true) throw new AbortError(facts, signal.reason);
    throw new TimeoutError(facts, "totalTimeout", settings.totalTimeout);
  }
}
