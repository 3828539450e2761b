import type { PreparedCall } from "./attempts.js";
import type { AttemptFailure } from "./failure.js";
import { readRetryAfter } from "./retry-after.js";

/** What follows a failed attempt: a wait and another one, or the end; and why. */
export interface RetryDecision {
  /** Milliseconds until the next attempt; `undefined` when there is none. */
  readonly wait?: number;
  readonly reason: string;
  /** When the server will take the call, if that is later than the call may last. */
  readonly retryAt?: Date | undefined;
}

// Statuses of a server or proxy that is in trouble for the moment; 501 and 505 will stay as they are.
const PASSING = new Set([408, 500, 502, 503, 504]);
const TOO_MANY_REQUESTS = 429;

/** Decides whether a failed attempt is followed by another. */
export function decideRetry(
  call: PreparedCall,
  failure: AttemptFailure,
  { attempt, timeLeft }: { attempt: number; timeLeft: number },
): RetryDecision {
  const { settings, budget } = call;
  const refusal = whyNot(call, failure);
  if (refusal !== undefined) return { reason: refusal };
  const hint = readHint(call, failure);
  const wait = Math.max(hint ?? 0, backoff(attempt, settings));
  const tooLong = wait >= timeLeft;
  if (hint !== undefined && tooLong) {
    return {
      reason: "the server asks to wait longer than the call may last",
      retryAt: new Date(Date.now() + hint),
    };
  }
  if (attempt >= settings.attempts) return { reason: `all ${settings.attempts} attempts are used` };
  if (tooLong) return { reason: "no time is left for another attempt" };
  if (!budget.spend())
    return { reason: "the client's retry budget is used up: too many requests fail" };
  return {
    wait,
    reason:
      hint === undefined ? "tried again after a random wait" : "tried again when the server said",
  };
}

/** Why the same request must not, or need not, be sent again; `undefined` when it may. */
function whyNot(
  { bound, request, service }: PreparedCall,
  failure: AttemptFailure,
): string | undefined {
  const repeatable = request.method !== "POST" || bound.row.idempotencyKey;
  const onlyOnce =
    "it may have been carried out, and a POST without idempotency key is not sent twice";
  switch (failure.kind) {
    case "aborted":
      return "the signal was aborted";
    case "timeout":
      return repeatable ? undefined : onlyOnce;
    case "network":
      if (failure.final) return "it would fail again";
      return repeatable || failure.outcome === "not_sent" ? undefined : onlyOnce;
    case "answer": {
      const { answer } = failure;
      if (answer.status === TOO_MANY_REQUESTS || service.isRetryable?.(answer) === true)
        return undefined;
      if (!PASSING.has(answer.status)) return "the same request would get the same answer";
      return repeatable ? undefined : onlyOnce;
    }
  }
}

function readHint({ service }: PreparedCall, failure: AttemptFailure): number | undefined {
  if (failure.kind !== "answer") return undefined;
  return service.readRetryHint?.(failure.answer) ?? readRetryAfter(failure.answer.headers);
}

/** Full jitter: a random part of a limit that doubles, so that many clients do not come back together. */
function backoff(
  attempt: number,
  { baseDelay, maxDelay }: { baseDelay: number; maxDelay: number },
): number {
  return Math.random() * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
}
