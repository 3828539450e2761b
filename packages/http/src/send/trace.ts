import {
  type RequestAttributes,
  attemptChannel,
  callChannel,
  getOrInsertComputed,
  trace,
} from "@fieldmesh/core/internal";
import { CallError } from "../errors/call-error.ts";
import type { PreparedCall, Success } from "./prepared-call.ts";
import type { CallResult } from "../response/with-response.ts";
import type { TimeLimit } from "../wire/deadline.ts";
import { addHeaders } from "../wire/headers.ts";
import { nameOf, readFailure } from "./failure.ts";

type TracedCall = Pick<PreparedCall, "id" | "endpoint" | "base"> & {
  readonly request: Pick<PreparedCall["request"], "method">;
};

/** Publishes a call, with all of its attempts, to `fieldmesh:call`. */
export function traceCall<R extends Pick<CallResult, "attempts" | "status">>(
  call: TracedCall,
  work: () => Promise<R>,
): Promise<R> {
  return trace(callChannel, work, {
    start: () => requestAttributes(call),
    end: ({ attempts, status }) => ({ attempts: attempts.length, status }),
    fail: (error) => {
      if (!(error instanceof CallError)) return {};
      const { attempts, outcome } = error;
      return { attempts: attempts.length, outcome, status: attempts.at(-1)?.status };
    },
  });
}

/** Returns the facts about a request that a message may contain. */
function requestAttributes({ id, endpoint, request, base }: TracedCall): RequestAttributes {
  const template = endpoint.row.route.replace(/^[A-Z]+ /, "").replace(/\?.*/, "");
  return {
    callId: id,
    call: endpoint.call,
    method: request.method,
    template,
    ...getOrInsertComputed(servers, base, readServer),
  };
}

type Server = Pick<RequestAttributes, "serverAddress" | "serverPort">;

/** Cached for each base URL, because its getters are slow. */
const servers = new WeakMap<URL, Server>();

function readServer({ hostname, port, protocol }: URL): Server {
  return {
    // Without the brackets of an IPv6 address.
    serverAddress: hostname.replace(/[[\]]/g, ""),
    serverPort: Number(port) || (protocol === "https:" ? 443 : 80),
  };
}

/** Publishes one request of a call to `fieldmesh:attempt`, and sends the headers that a subscriber has added. */
export function traceAttempt(
  call: PreparedCall,
  { number, limit }: { readonly number: number; readonly limit: TimeLimit },
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
      start: () => ({ ...requestAttributes(call), attempt: number, headers: {} }),
      end: ({ response: { status, bytes } }) => ({ status, bytes }),
      fail: (error) => {
        const failure = readFailure(error, call.signal, limit);
        if (!("response" in failure)) return { code: nameOf(failure) };
        const { status, bytes } = failure.response;
        return { code: String(status), status, bytes };
      },
    },
  );
}
