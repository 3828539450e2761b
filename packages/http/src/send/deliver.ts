import type { CallContext } from "../errors/call-error.ts";
import type { CallResult } from "../response/with-response.ts";
import type { SendOptions } from "../options/call-options.ts";
import { nameOfCall } from "../request/request.ts";
import { secretCheckOf } from "../request/secrets.ts";
import { type Deadline, createDeadline, untilAborted } from "../wire/deadline.ts";
import { isApiError } from "../errors/is-api-error.ts";
import { runAttempts, type Sent } from "./attempts.ts";
import {
  type CallStart,
  type Connection,
  type PreparedCall,
  prepareCall,
} from "./prepared-call.ts";
import { sendOnce } from "./send-once.ts";
import { tellEnd, traceCall } from "./observe.ts";
import { AbortError } from "../errors/abort-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { type DecodedResponse, decodeResponse } from "../response/decode.ts";
import type { ResponseToDecode } from "../response/response-to-decode.ts";
import { STATUS } from "../errors/statuses.ts";

/** Sends a request and returns the result of its call. Traces the call and logs its failure. */
export function deliver(
  connection: Connection,
  { endpoint, request, fence }: Omit<CallStart, "id" | "send">,
  options: SendOptions,
): Promise<CallResult> {
  const id = crypto.randomUUID();
  const { base, settings } = connection;
  return traceCall({ id, endpoint, request, base }, async () => {
    try {
      return await sendAndDecode(
        prepareCall(connection, { id, endpoint, request, fence, send: sendOnce }, options),
        options.schema,
      );
    } catch (error) {
      tellEnd(settings, id, error);
      throw error;
    }
  });
}

async function sendAndDecode(
  call: PreparedCall,
  schema: SendOptions["schema"],
): Promise<CallResult> {
  const { endpoint, settings, signal, service } = call;
  const { hides } = service;
  const deadline = createDeadline(settings.totalTimeout, signal);
  const holdsSecret = (text: string): boolean => secretCheckOf(call)(text);
  try {
    const sent = await sendOrFindNothing(call, deadline);
    if (!("response" in sent)) return { ...sent, holdsSecret };
    const { response, value, attempts } = sent;
    const { output, meta } = await decodeInTime(
      { endpoint, response, value, attempts, settings, schema, hides, holdsSecret },
      { signal, deadline },
    );
    const { status, headers, body } = response;
    return { output, status, headers, body, meta, attempts, holdsSecret };
  } finally {
    deadline.close();
  }
}

/** Sends a call. A lookup for which the service says that nothing matches has the output `undefined`. */
async function sendOrFindNothing(
  call: PreparedCall,
  deadline: Deadline,
): Promise<Sent | Omit<CallResult, "holdsSecret">> {
  try {
    return await runAttempts(call, deadline);
  } catch (error) {
    const absent = isApiError(error, STATUS.notFound) && call.endpoint.row.mayBeAbsent;
    if (!absent || call.service.saysAbsent?.(error.body.reveal()) !== true) throw error;
    const { status, headers, body, attempts } = error;
    return {
      output: undefined,
      status,
      headers: new Headers(headers),
      body: body.reveal(),
      meta: undefined,
      attempts,
    };
  }
}

/** Decodes a response. A user's schema may be async and never settle, so the deadline ends the call nevertheless. */
async function decodeInTime(
  received: ResponseToDecode,
  { signal, deadline }: { readonly signal: AbortSignal | undefined; readonly deadline: Deadline },
): Promise<DecodedResponse> {
  const decoded = decodeResponse(received);
  if (received.schema === undefined) return await decoded;
  const ended = deadline.signal();
  try {
    return await untilAborted(decoded, ended);
  } catch (error) {
    if (error !== ended.reason) throw error;
    const { endpoint, attempts, settings } = received;
    const context: CallContext = { ...nameOfCall(endpoint), outcome: "applied", attempts };
    if (signal?.aborted === true) throw new AbortError(context, signal.reason);
    throw new TimeoutError(context, "totalTimeout", settings.totalTimeout);
  }
}
