// What observers see of a call. Each event is told here, to all outlets: the hooks, the logger and the channels.
import {
  type RequestAttributes,
  attemptChannel,
  callChannel,
  getOrInsertComputed,
  monotonicClock,
  notify,
  trace,
} from "@fieldmesh/core/internal";
import { scrub } from "@fieldmesh/core/internal/schema";
import { CallError } from "../errors/call-error.ts";
import { isApiError } from "../errors/is-api-error.ts";
import type { CallEvent } from "../options/hooks.ts";
import type { EndEvent, Events } from "../options/logger.ts";
import type { Settings } from "../options/settings.ts";
import { secretCheckOf } from "../request/secrets.ts";
import { redactedBody } from "../response/decode.ts";
import { requestIdOf, type CallResult } from "../response/with-response.ts";
import type { TimeLimit } from "../wire/deadline.ts";
import { addHeaders, redactHeaders } from "../wire/headers.ts";
import type { RawResponse } from "../wire/read-body.ts";
import { type AttemptFailure, codeOf, nameOf, readFailure, statusOf } from "./failure.ts";
import type { PreparedCall, Success } from "./prepared-call.ts";

type Outlets = Pick<Settings, "hooks" | "log">;

/** Tells the hooks and the logger what happened, each with an event of its own. `forHooks` makes what the logger leaves out. */
export function tell<Name extends keyof Events>(
  { hooks, log }: Outlets,
  name: Name,
  makeEvent: () => Events[Name],
  forHooks?: () => object,
): void {
  const hook = (hooks as { readonly [name: string]: ((event: object) => void) | undefined })[name];
  if (hook !== undefined)
    notify(`hooks.${name}`, hook, (hear) => hear({ ...makeEvent(), ...forHooks?.() }));
  log?.tell(name, makeEvent);
}

type ObservedCall = Pick<PreparedCall, "id" | "endpoint" | "base"> & {
  readonly request: Pick<PreparedCall["request"], "method">;
};

/** Publishes a call, with all of its attempts, to `fieldmesh:call`. */
export function traceCall<R extends Pick<CallResult, "attempts" | "status">>(
  call: ObservedCall,
  work: () => Promise<R>,
): Promise<R> {
  return trace(callChannel, work, {
    start: () => requestAttributes(call),
    end: ({ attempts, status }) => ({ attempts: attempts.length, status }),
    fail: (error) => {
      if (!(error instanceof CallError)) return {};
      const { attempts, outcome, status, requestId } = endOf(call.id, error);
      return { attempts: attempts.length, outcome, status, requestId };
    },
  });
}

/** Logs a failed call. */
export function tellEnd(outlets: Outlets, callId: string, error: unknown): void {
  if (error instanceof CallError) tell(outlets, "onEnd", () => endOf(callId, error));
}

function endOf(callId: string, error: CallError): EndEvent {
  const { call, route, name, outcome } = error;
  // Copied: a logger may change its fields, and the error keeps its own.
  const attempts = error.attempts.map((each) => ({ ...each }));
  return { callId, call, route, error: name, outcome, ...lastOf(error), attempts, thrown: error };
}

/** Returns the facts of the last response, if one arrived. */
function lastOf(error: CallError): Pick<EndEvent, "status" | "requestId"> {
  if (isApiError(error)) return { status: error.status, requestId: error.requestId };
  const status = error.attempts.at(-1)?.status;
  return status === undefined ? {} : { status };
}

/** Returns the facts about a request that a message may contain. */
function requestAttributes({ id, endpoint, request, base }: ObservedCall): RequestAttributes {
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

/**
 * Sends one request of a call, with the headers that a subscriber of `fieldmesh:attempt` has added, and tells all outlets of it.
 * Hooks and logger receive their events while the message is open, so a log line belongs to the span of its attempt. `sentAt` is in
 * the time of the monotonic clock.
 */
export function observeAttempt(
  call: PreparedCall,
  { number, sentAt, limit }: { number: number; sentAt: number; limit: TimeLimit },
  send: (call: PreparedCall) => Promise<Success>,
): Promise<Success> {
  let duration = 0;
  return trace(
    attemptChannel,
    async (message) => {
      const added = message?.headers ?? {};
      const sent =
        Object.keys(added).length === 0
          ? call
          : { ...call, headers: addHeaders(call.headers, added) };
      tell(sent.settings, "onRequest", () => ({
        ...eventOf(sent, number),
        headers: redactHeaders(sent.headers, secretCheckOf(sent)),
        input: scrub(
          sent.request.redactInput(() => undefined),
          secretCheckOf(sent),
        ),
      }));
      try {
        const success = await send(sent);
        duration = monotonicClock.now() - sentAt;
        tellResponse(sent, number, duration, success);
        return success;
      } catch (error) {
        duration = monotonicClock.now() - sentAt;
        const failure = readFailure(error, sent.signal, limit);
        if (failure.kind === "response")
          tellResponse(sent, number, duration, { ...failure, value: undefined });
        else tellFailure(sent, number, duration, failure);
        throw error;
      }
    },
    {
      start: () => ({ ...requestAttributes(call), attempt: number, headers: {} }),
      end: ({ response }) => factsOf(call, duration, response),
      fail(error) {
        const failure = readFailure(error, call.signal, limit);
        const facts =
          failure.kind === "response"
            ? factsOf(call, duration, failure.response)
            : { status: statusOf(failure), duration };
        return { code: String(codeOf(failure)), ...facts };
      },
    },
  );
}

function tellResponse(
  call: PreparedCall,
  number: number,
  duration: number,
  { response, value }: { readonly response: RawResponse; readonly value: unknown },
): void {
  const makeEvent = () => ({
    ...eventOf(call, number),
    ...factsOf(call, duration, response),
    headers: redactHeaders(response.headers, secretCheckOf(call)),
  });
  const forHooks = () => ({ body: redactedBody(call.endpoint.row, value, secretCheckOf(call)) });
  tell(call.settings, "onResponse", makeEvent, forHooks);
}

/** Tells of an attempt that received no complete response. */
export function tellFailure(
  call: PreparedCall,
  number: number,
  duration: number,
  failure: AttemptFailure,
): void {
  const facts = { failure: nameOf(failure), status: statusOf(failure), duration };
  tell(call.settings, "onFailure", () => ({ ...eventOf(call, number), ...facts }));
}

/** Returns the facts of a response that every outlet may contain. */
function factsOf(call: PreparedCall, duration: number, { status, bytes, headers }: RawResponse) {
  const requestId = requestIdOf(headers, (text) => secretCheckOf(call)(text));
  return { status, bytes, duration, requestId };
}

/** Returns the fields of every event of an attempt. */
export function eventOf({ id, endpoint }: PreparedCall, attempt: number): CallEvent {
  return { callId: id, call: endpoint.call, route: endpoint.row.route, attempt };
}
