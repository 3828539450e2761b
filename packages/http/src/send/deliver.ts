import { CallError } from "../errors/call-error.ts";
import { decodeInTime } from "../response/decode-in-time.ts";
import type { CallResult } from "../response/with-response.ts";
import type { SendOptions } from "../options/call-options.ts";
import { secretCheckOf } from "../request/secrets.ts";
import type { BoundRow } from "../request/request.ts";
import type { WireRequest } from "../request/write-request.ts";
import { createDeadline } from "../wire/deadline.ts";
import { runAttempts } from "./attempts.ts";
import { prepareCall, type Connection, type PreparedCall } from "./prepared-call.ts";
import { traceCall } from "./trace-call.ts";

/** Sends a request and returns the result of its call. Traces the call and logs its failure. */
export function deliver(
  connection: Connection,
  { bound, request }: { readonly bound: BoundRow; readonly request: WireRequest },
  options: SendOptions,
): Promise<CallResult> {
  const id = crypto.randomUUID();
  const { base, settings } = connection;
  return traceCall({ id, bound, request, base }, async () => {
    try {
      return await sendAndDecode(
        prepareCall(connection, { id, bound, request }, options),
        options.schema,
      );
    } catch (error) {
      if (error instanceof CallError) settings.log?.end(id, error);
      throw error;
    }
  });
}

async function sendAndDecode(
  call: PreparedCall,
  schema: SendOptions["schema"],
): Promise<CallResult> {
  const { bound, settings, signal, compile } = call;
  const deadline = createDeadline(settings.totalTimeout, signal);
  const holdsSecret = (text: string): boolean => secretCheckOf(call)(text);
  try {
    const { response, value, attempts } = await runAttempts(call, deadline);
    const { output, meta } = await decodeInTime(
      { bound, response, value, attempts, settings, schema, compile, holdsSecret },
      { signal, deadline },
    );
    const { status, headers } = response;
    return { output, status, headers, meta, attempts, holdsSecret };
  } finally {
    deadline.close();
  }
}
