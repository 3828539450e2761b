import type { PreparedCall } from "../request/prepared-call.ts";
import { AbortError } from "./abort-error.ts";
import { ApiError, type ApiErrorDetails } from "./api-error.ts";
import type { Attempt, CallError, CallFacts } from "./call-error.ts";
import { ConnectionError } from "./connection-error.ts";
import { TimeoutError, type TimeoutScope } from "./timeout-error.ts";
import { outcomeOf, type AttemptFailure } from "../send/failure.ts";
import type { RawResponse } from "../send/fetch-attempt.ts";
import { redactHeaders } from "../request/headers.ts";
import { secretsOf } from "../send/send-once.ts";
import { requestIdOf } from "../response/with-response.ts";

/** How a call ended that did not succeed. */
export interface CallEnd {
  readonly attempts: readonly Attempt[];
  readonly failures: readonly AttemptFailure[];
  readonly retryAt: Date | undefined;
  /** The limit that ran out, if one did. */
  readonly limit: TimeoutScope;
  readonly isAborted: boolean;
}

/** Makes the error of a call from its last attempt, with the outcome of all of them. */
export function failureToError(call: PreparedCall, end: CallEnd): CallError {
  const { bound, request, service, settings, signal } = call;
  const facts: CallFacts = {
    call: bound.call,
    route: bound.row.route,
    outcome: outcomeOf(request.method, end.failures, service),
    attempts: end.attempts,
  };
  if (end.isAborted) return new AbortError(facts, signal?.reason);
  const last = end.failures.at(-1);
  if (last?.kind === "response" || last?.kind === "held")
    return responseToError(call, facts, last.response, end);
  if (last?.kind === "network") return new ConnectionError(facts, last.code, last.happened);
  return new TimeoutError(facts, end.limit, settings[end.limit]);
}

function responseToError(
  call: PreparedCall,
  facts: CallFacts,
  response: RawResponse,
  end: CallEnd,
): ApiError {
  const { bound, request, service } = call;
  const details = service.readError(response, bound.row.errors[response.status]);
  const init = {
    ...details,
    ...whenDeletedTwice(facts, request.method, response.status, end),
    status: response.status,
    requestId: requestIdOf(response.headers),
    // A server may repeat in a header what it was sent, such as the URL in a Location.
    headers: new Headers(redactHeaders(response.headers, secretsOf(call))),
    body: response.body,
    retryAt: end.retryAt,
  };
  return service.makeError?.(facts, init) ?? new ApiError(facts, init);
}

/** A DELETE whose first attempt got lost after the work meets a 404 the second time. */
function whenDeletedTwice(
  facts: CallFacts,
  method: string,
  status: number,
  end: CallEnd,
): ApiErrorDetails {
  if (
    method !== "DELETE" ||
    status !== 404 ||
    facts.outcome !== "unknown" ||
    end.attempts.length < 2
  )
    return {};
  return { advice: "An earlier attempt of this call may have deleted it: its answer was lost." };
}
