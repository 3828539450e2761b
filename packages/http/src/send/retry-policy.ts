// Why it is so: docs/decisions/04-retries.md
import { isOnlyOnce } from "../errors/api-error.ts";
import type { PreparedCall } from "./prepared-call.ts";
import type { AttemptFailure } from "./failure.ts";
import type { RawResponse } from "../wire/read-body.ts";
import { readHint } from "../wire/hint.ts";
import { spread } from "../limit/spread.ts";
import { STATUS } from "../errors/statuses.ts";

/** What follows a failed attempt: a wait and another attempt, or the end. And the reason. */
export interface RetryDecision {
  /** Milliseconds until the next attempt. `undefined` if there is none. */
  readonly wait?: number;
  readonly reason: string;
  /** When the server accepts the call again, if it says so and no attempt follows. */
  readonly retryAt?: Date | undefined;
}

// Temporary failures of a server or a proxy. 501 and 505 are permanent.
const PASSING = new Set([408, 500, 502, 503, 504]);

/** A failed attempt, and what is left for another one. */
export interface FailedAttempt {
  readonly failure: AttemptFailure;
  /** When it was sent, in the time of the monotonic clock. */
  readonly sentAt: number;
  /** The failed attempts so far, without those that received a 429 or a 401. */
  readonly failed: number;
  /** A function returns the key, and the call has not requested a new one yet. */
  readonly mayAskForKey: boolean;
  /** Milliseconds until `totalTimeout`. */
  readonly timeLeft: number;
}

/** Decides whether another attempt follows a failed one. */
export function decideRetry(call: PreparedCall, attempt: FailedAttempt): RetryDecision {
  const { failure, failed, timeLeft, mayAskForKey } = attempt;
  const hint =
    failure.kind === "response"
      ? readHint(failure.response, (response) => call.service.readRetryHint?.(response))
      : undefined;
  if (isLimit(failure) && call.settings.attempts > 1)
    return afterLimit(call, failure.response, { ...attempt, hint });
  // The request was rejected, so nothing was done, and even a POST is sent again.
  if (isUnauthorized(failure) && mayAskForKey && call.settings.attempts > 1)
    return { wait: 0, reason: "retried after the key function was called again" };
  const wait = Math.max(spread(hint ?? 0, timeLeft), backoff(failed, call.settings));
  const whyNot =
    whyUnrepeatable(call, failure) ?? whyExhausted(call, { failed, hint, wait, timeLeft });
  if (whyNot !== undefined)
    return {
      reason: whyNot,
      retryAt: hint === undefined ? undefined : new Date(Date.now() + hint),
    };
  const reason =
    hint === undefined
      ? "retried after a random wait"
      : "retried at the time that the server named";
  return { wait, reason };
}

/** Returns true for the status of a failing service, or of one that asks for fewer requests. */
export function mayPassStatus(status: number): boolean {
  return PASSING.has(status) || status === STATUS.tooManyRequests;
}

type ResponseFailure = Extract<AttemptFailure, { kind: "response" }>;

/** Returns true for a 429: the service works, and asks for fewer requests. */
export function isLimit(failure: AttemptFailure): failure is ResponseFailure {
  return failure.kind === "response" && failure.response.status === STATUS.tooManyRequests;
}

/** Returns true for a 401: the service works, and rejects the key. */
export function isUnauthorized(failure: AttemptFailure): failure is ResponseFailure {
  return failure.kind === "response" && failure.response.status === STATUS.unauthorized;
}

/** After a 429, every call waits. Attempts and budget are for failing servers, so a 429 uses up neither. */
function afterLimit(
  { pause, permits }: PreparedCall,
  response: RawResponse,
  { sentAt, timeLeft, hint }: FailedAttempt & { hint: number | undefined },
): RetryDecision {
  pause.begin(response, { sentAt, hint });
  permits.rejected(hint);
  const said = Math.ceil(pause.saidLeft());
  if (said < timeLeft)
    return { wait: Math.ceil(pause.left()), reason: "retried when the rate limit allowed" };
  return {
    reason: "the server asks to wait longer than the call may last",
    retryAt: new Date(Date.now() + said),
  };
}

/** Returns why another attempt is impossible. Otherwise pays for it from the budget. */
function whyExhausted(
  { settings, budget }: PreparedCall,
  attempt: { failed: number; hint: number | undefined; wait: number; timeLeft: number },
): string | undefined {
  const { failed, hint = 0, wait, timeLeft } = attempt;
  if (hint > 0 && hint >= timeLeft) return "the server asks to wait longer than the call may last";
  if (failed >= settings.attempts) return `all ${settings.attempts} attempts are used`;
  if (wait >= timeLeft) return "no time is left for another attempt";
  if (!budget.spend()) return "the client's retry budget is used up: too many requests fail";
  return undefined;
}

/** Returns why the same request must not, or need not, be sent again. Returns `undefined` if it may. */
function whyUnrepeatable(
  { endpoint, request, service, trustIdempotencyKeys }: PreparedCall,
  failure: AttemptFailure,
): string | undefined {
  const { idempotencyKey } = endpoint.row;
  const { method } = request;
  const repeatable = !isOnlyOnce(method) || (idempotencyKey && trustIdempotencyKeys);
  const rule = idempotencyKey
    ? "is repeated only with trustIdempotencyKeys"
    : "without idempotency key is not sent twice";
  const onlyOnce = `it may have been carried out, and a ${method} ${rule}`;
  switch (failure.kind) {
    case "aborted":
      return "the signal was aborted";
    case "key":
    case "mistake":
    case "unforeseen":
    case "unsent":
      return "it would fail again";
    case "held":
      return "the server asks to wait longer than the call may last";
    case "timeout":
      return repeatable ? undefined : onlyOnce;
    case "network":
      if (failure.final) return "it would fail again";
      return repeatable || failure.outcome === "not_sent" ? undefined : onlyOnce;
    case "response": {
      const { response } = failure;
      if (response.status === STATUS.tooManyRequests || service.isInFlight?.(response) === true)
        return undefined;
      if (!PASSING.has(response.status)) return "the same request would get the same response";
      return repeatable ? undefined : onlyOnce;
    }
  }
}

/** Full jitter: a random part of a limit that doubles each time, so that many clients do not return together. */
function backoff(
  attempt: number,
  { baseDelay, maxDelay }: { baseDelay: number; maxDelay: number },
): number {
  return Math.round(Math.random() * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1)));
}
