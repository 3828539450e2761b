import type { PreparedCall } from "../request/prepared-call.ts";
import type { AttemptFailure } from "./failure.ts";
import { readRetryAfter } from "./retry-after.ts";

/** What follows a failed attempt: a wait and another one, or the end; and why. */
export interface RetryDecision {
  /** Milliseconds until the next attempt; `undefined` when there is none. */
  readonly wait?: number;
  readonly reason: string;
  /** When the server will take the call, if it says so and no other attempt follows. */
  readonly retryAt?: Date | undefined;
}

// Statuses of a server or proxy that is in trouble for the moment; 501 and 505 will stay as they are.
const PASSING = new Set([408, 500, 502, 503, 504]);
const TOO_MANY_REQUESTS = 429;
// A year: far enough, and never a date that Date cannot hold.
const LONGEST_HINT = 365 * 24 * 60 * 60 * 1000;

/** Decides whether a failed attempt is followed by another. */
export function decideRetry(
  call: PreparedCall,
  failure: AttemptFailure,
  { attempt, timeLeft }: { attempt: number; timeLeft: number },
): RetryDecision {
  const hint = readHint(call, failure);
  const wait = Math.max(hint ?? 0, backoff(attempt, call.settings));
  const whyNot =
    whyUnrepeatable(call, failure) ?? whyExhausted(call, { attempt, hint, wait, timeLeft });
  if (whyNot !== undefined)
    return {
      reason: whyNot,
      retryAt: hint === undefined ? undefined : new Date(Date.now() + hint),
    };
  const reason =
    hint === undefined ? "tried again after a random wait" : "tried again when the server said";
  return { wait, reason };
}

/** Returns why another attempt is impossible; otherwise pays for it from the budget. */
function whyExhausted(
  { settings, budget }: PreparedCall,
  {
    attempt,
    hint = 0,
    wait,
    timeLeft,
  }: { attempt: number; hint: number | undefined; wait: number; timeLeft: number },
): string | undefined {
  if (hint > 0 && hint >= timeLeft) return "the server asks to wait longer than the call may last";
  if (attempt >= settings.attempts) return `all ${settings.attempts} attempts are used`;
  if (wait >= timeLeft) return "no time is left for another attempt";
  if (!budget.spend()) return "the client's retry budget is used up: too many requests fail";
  return undefined;
}

/** Why the same request must not, or need not, be sent again; `undefined` when it may. */
function whyUnrepeatable(
  { bound, request, service, trustIdempotencyKeys }: PreparedCall,
  failure: AttemptFailure,
): string | undefined {
  const { idempotencyKey } = bound.row;
  const repeatable = request.method !== "POST" || (idempotencyKey && trustIdempotencyKeys);
  const onlyOnce = idempotencyKey
    ? "it may have been carried out, and a POST is repeated only with trustIdempotencyKeys"
    : "it may have been carried out, and a POST without idempotency key is not sent twice";
  switch (failure.kind) {
    case "aborted":
      return "the signal was aborted";
    case "timeout":
      return repeatable ? undefined : onlyOnce;
    case "network":
      if (failure.final) return "it would fail again";
      return repeatable || failure.outcome === "not_sent" ? undefined : onlyOnce;
    case "response": {
      const { response } = failure;
      if (response.status === TOO_MANY_REQUESTS || service.isInFlight?.(response) === true)
        return undefined;
      if (!PASSING.has(response.status)) return "the same request would get the same answer";
      return repeatable ? undefined : onlyOnce;
    }
  }
}

function readHint({ service }: PreparedCall, failure: AttemptFailure): number | undefined {
  if (failure.kind !== "response") return undefined;
  const hint =
    service.readRetryHint?.(failure.response) ?? readRetryAfter(failure.response.headers);
  return hint === undefined ? undefined : Math.min(hint, LONGEST_HINT);
}

/** Full jitter: a random part of a limit that doubles, so that many clients do not come back together. */
function backoff(
  attempt: number,
  { baseDelay, maxDelay }: { baseDelay: number; maxDelay: number },
): number {
  return Math.round(Math.random() * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1)));
}
