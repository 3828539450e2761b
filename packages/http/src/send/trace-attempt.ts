import { attemptChannel, trace } from "@fieldmesh/core";
import { addHeaders } from "../wire/headers.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { nameOf, readFailure } from "./failure.ts";
import type { Success } from "./send-once.ts";
import { requestFacts } from "./trace-call.ts";

/** Publishes one request of a call to `fieldmesh:attempt`, and sends the headers that a subscriber has added. */
export function traceAttempt(
  call: PreparedCall,
  attempt: number,
  send: (call: PreparedCall) => Promise<Success>,
): Promise<Success> {
  return trace(
    attemptChannel,
    (message) => {
      const added = message?.headers ?? {};
      if (Object.keys(added).length === 0) return send(call);
      return send({ ...call, headers: addHeaders(call.headers, added) });
    },
    {
      start: () => ({ ...requestFacts(call), attempt, headers: {} }),
      end: ({ response: { status, bytes } }) => ({ status, bytes }),
      fail: (error) => {
        const failure = readFailure(error, { signal: call.signal, limit: "timeout" });
        if (!("response" in failure)) return { code: nameOf(failure) };
        const { status, bytes } = failure.response;
        return { code: String(status), status, bytes };
      },
    },
  );
}
