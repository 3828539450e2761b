import type { PreparedCall } from "./prepared-call.ts";
import { AbortError } from "../errors/abort-error.ts";
import { ApiError, type ApiErrorDetails } from "../errors/api-error.ts";
import { CallError, type Attempt, type CallContext } from "../errors/call-error.ts";
import { CredentialError, FetchFunctionError } from "../errors/function-errors.ts";
import { ConnectionError } from "../errors/connection-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { TIME_IS_UP } from "../wire/deadline.ts";
import { HeldBack } from "../limit/pause.ts";
import { NoPermit } from "../limit/with-permit.ts";
import { AttemptFailed, outcomeOf, UNSENT, unforeseen, type AttemptFailure } from "./failure.ts";
import type { Past } from "./make-attempt.ts";
import type { RawResponse } from "../wire/read-body.ts";
import { redactHeaders } from "../wire/headers.ts";
import { nameOfCall } from "../request/request.ts";
import { secretCheckOf } from "../request/secrets.ts";
import { createShowText } from "../errors/show-text.ts";
import type { Endpoint } from "../table/row.ts";
import { requestIdOf } from "../response/with-response.ts";
import { STATUS } from "../errors/statuses.ts";

/** How a failed call ended. */
interface FailedCall {
  readonly attempts: readonly Attempt[];
  /** The failures of its attempts. */
  readonly failures: readonly AttemptFailure[];
  /** What ended it. */
  readonly last: AttemptFailure;
  readonly retryAt: Date | undefined;
}

/** Creates the error of a call from what ended it: a failed attempt, a step before an attempt, or the deadline. */
export function failureToError(call: PreparedCall, past: Past, error: unknown): CallError {
  const end = endOf(call, past, error);
  const { endpoint, request, service, settings, signal } = call;
  const context: CallContext = {
    ...nameOfCall(endpoint),
    outcome: outcomeOf(request.method, end, service),
    attempts: end.attempts,
    recordsRead: past.recordsRead,
  };
  if (signal?.aborted === true) return new AbortError(context, signal.reason);
  const { last } = end;
  switch (last.kind) {
    case "response":
    case "held":
      return responseToError(call, context, last.response, end);
    case "key":
      return new CredentialError(context, last.happened, withoutSecrets(last.thrown, call));
    case "mistake":
      return new FetchFunctionError(context, last.happened, withoutSecrets(last.thrown, call));
    case "network": {
      const thrower = settings.hasOwnFetch ? OWN_FETCH : "";
      const happened = `${last.happened}${thrower}`;
      return new ConnectionError(context, last.code, happened, !last.final, last.advice);
    }
    case "unforeseen": {
      const cause = withoutSecrets(last.thrown, call);
      const happened = `failed with ${last.thrown.name}, which the client did not expect.`;
      return new CallError(context, happened, "See cause, and report it as a bug.", { cause });
    }
    case "timeout":
      return new TimeoutError(context, last.limit, last.after);
    default:
      return new TimeoutError(
        context,
        "totalTimeout",
        settings.totalTimeout,
        last.kind === "unsent" ? last.whyUnsent : undefined,
      );
  }
}

function endOf(call: PreparedCall, { attempts, failures }: Past, error: unknown): FailedCall {
  const isAborted = call.signal?.aborted === true;
  const { failure, end } = readEnd(error, isAborted);
  // A call that has failed before ends with that failure, whatever it waited for then. A failed function is another failure.
  const isNew = failure.kind === "key" || failure.kind === "unforeseen";
  const [last = failure] = isNew ? [] : failures.slice(-1);
  const why = isAborted
    ? "the signal was aborted"
    : (end.whyEnded ?? "no time is left for another attempt");
  return {
    attempts: attempts.map((each, index) =>
      // Another attempt was planned, but the call ended before.
      index === attempts.length - 1 && each.wait !== undefined
        ? { ...each, wait: undefined, reason: why }
        : each,
    ),
    failures,
    last,
    retryAt: end.retryAt,
  };
}

/** The deadline has ended a wait, unless a step failed. Any other error is a bug of ours. */
function readEnd(error: unknown, isAborted: boolean): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  if (error instanceof HeldBack) {
    const { response, retryAt } = error;
    return new AttemptFailed({ kind: "held", response }, { retryAt });
  }
  if (error instanceof NoPermit) return new AttemptFailed({ ...UNSENT, whyUnsent: error.message });
  return new AttemptFailed(isAborted || error === TIME_IS_UP ? UNSENT : unforeseen(error));
}

/** An error from that function, such as one that quotes the response of a proxy, may contain a key. */
const OWN_FETCH =
  ", according to the fetch function of this client, whose error is not shown: log it there";

/** Copies an error, whose message may contain a URL with a key. Keeps the lines of its stack that name a place in the code. */
function withoutSecrets(error: Error | undefined, call: PreparedCall): Error | undefined {
  if (error === undefined) return undefined;
  const { name, message, stack } = error;
  const holdsSecret = secretCheckOf(call);
  const shown = message.slice(0, LONGEST_MESSAGE);
  const copy = new Error(holdsSecret(shown) ? "[redacted]" : shown);
  const places = String(stack)
    .slice(-LONGEST_MESSAGE)
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !holdsSecret(line));
  copy.stack = [`${name}: ${copy.message}`, ...places].join("\n");
  return Object.defineProperty(copy, "name", { value: name, configurable: true, writable: true });
}

const LONGEST_MESSAGE = 5_000;

function responseToError(
  call: PreparedCall,
  context: CallContext,
  response: RawResponse,
  end: FailedCall,
): ApiError {
  const { endpoint, request, service } = call;
  const { row } = endpoint;
  const holdsSecret = secretCheckOf(call);
  const show = createShowText(holdsSecret);
  // A lookup returns `undefined` for the 404 of the service, so this one comes from elsewhere.
  const isElsewhere = row.mayBeAbsent && response.status === STATUS.notFound;
  const meaning = isElsewhere ? undefined : row.errors[response.status];
  const details = service.readError(response, meaning, show);
  const init = {
    ...details,
    message: messageOf(details, response),
    advice: isElsewhere
      ? whenUnclear(service.name, response)
      : (details.advice ?? whenNothingFound(row, response.status)),
    ...whenDeletedTwice(context, request.method, response.status),
    status: response.status,
    requestId: requestIdOf(response.headers, holdsSecret),
    // A header may repeat a part of the request, such as the URL in a Location.
    headers: redactHeaders(response.headers, holdsSecret),
    body: response.body,
    retryAt: end.retryAt,
  };
  return service.makeError?.(context, init, show) ?? new ApiError(context, init);
}

/** Without the body, the status has to be enough. */
function messageOf({ message }: ApiErrorDetails, { dropped }: RawResponse): string | undefined {
  if (dropped === undefined) return message;
  const why = `its body could not be read: ${dropped}`;
  return message === undefined ? why : `${message} (${why})`;
}

/** Only the body of a 404 to a lookup says what it means. */
function whenUnclear(service: string, { dropped }: RawResponse): string {
  return dropped === undefined
    ? `This 404 is not how ${service} says that nothing matches, so the address may be wrong: check baseUrl, and any proxy in between.`
    : "Call again: its body says whether nothing matches or the address is wrong.";
}

/** A 404 that the row declares shows that the route exists, and only the record does not. */
function whenNothingFound({ errors, query, route }: Endpoint, status: number): string | undefined {
  if (status !== STATUS.notFound || errors[status] === undefined || route.includes("/:"))
    return undefined;
  const names = Object.keys(query);
  if (names.length === 0) return "Not found for this client: check the ids in the input.";
  return `Nothing matches ${names.join(", ")}: check the spelling, and whether your key has access to it.`;
}

/** If the response to a DELETE is lost, the retry receives a 404. */
function whenDeletedTwice(context: CallContext, method: string, status: number): ApiErrorDetails {
  if (method !== "DELETE" || status !== STATUS.notFound || context.outcome !== "unknown") return {};
  return { advice: "An earlier attempt of this call may have deleted it: its response was lost." };
}
