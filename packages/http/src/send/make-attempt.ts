import { hasPassed, monotonicClock } from "@fieldmesh/core/internal";
import type { Attempt } from "../errors/call-error.ts";
import type { Permit } from "../limit/permits.ts";
import { type Deadline, shortestLimit, TIME_IS_UP, untilAborted } from "../wire/deadline.ts";
import {
  AttemptFailed,
  type AttemptFailure,
  codeOf,
  nameOf,
  readFailure,
  statusOf,
} from "./failure.ts";
import { attemptThroughKy } from "./ky.ts";
import { eventOf, observeAttempt, tell } from "./observe.ts";
import type { PreparedCall, Success } from "./prepared-call.ts";
import { decideRetry, isLimit, isUnauthorized, type RetryDecision } from "./retry-policy.ts";

/** The attempts of a call so far, and how they failed. */
export interface Past {
  readonly attempts: Attempt[];
  readonly failures: AttemptFailure[];
  /** The key that the service has rejected. The key function is called again once for a call. */
  rejectedKey: string | undefined;
  /** See `CallContext`. */
  readonly recordsRead?: number | undefined;
}

/** What an attempt has, besides its call. */
export interface Trial {
  readonly past: Past;
  readonly deadline: Deadline;
  readonly permit: Permit;
  readonly key: string | undefined;
}

/** Milliseconds until another attempt follows. */
type Retry = Pick<Required<RetryDecision>, "wait">;

/** Makes one attempt, and records it. Throws an AttemptFailed if none follows. */
export async function makeAttempt(call: PreparedCall, trial: Trial): Promise<Success | Retry> {
  const { request, settings, base, signal, pause, budget, fence } = call;
  const { past, deadline, permit } = trial;
  const number = past.attempts.length + 1;
  const timeLeft = deadline.timeLeft();
  if (timeLeft <= 0) throw TIME_IS_UP;
  const limit = shortestLimit(settings, timeLeft, fence);
  const ky = { origin: base.origin, method: request.method, timeout: limit.left, signal };
  let sentAt = 0;
  try {
    const success = await attemptThroughKy(ky, (ended) => {
      sentAt = monotonicClock.now();
      permit.isUsed = true;
      return observeAttempt(call, { number, sentAt, limit }, (sent) =>
        untilAborted(call.send(sent, ended, limit.left), ended),
      );
    });
    permit.response = success.response;
    const { status } = success.response;
    record(past, sentAt, { status, failure: undefined, wait: undefined, reason: "responded" });
    pause.end(sentAt);
    budget.succeeded(past.failures.filter(isOfOutage).length);
    return success;
  } catch (error) {
    // The call ended before the attempt began.
    if (!permit.isUsed) throw error;
    const failure = readFailure(error, signal, limit);
    if (failure.kind === "timeout") hasPassed(sentAt + limit.left);
    return retryAfter(call, trial, { failure, sentAt });
  }
}

/** Records a failed attempt and decides whether another one follows. Throws an AttemptFailed if none does. */
function retryAfter(
  call: PreparedCall,
  { past, deadline, permit, key }: Trial,
  { failure, sentAt }: { readonly failure: AttemptFailure; readonly sentAt: number },
): Retry {
  const number = past.attempts.length + 1;
  past.failures.push(failure);
  permit.response = failure.kind === "response" ? failure.response : undefined;
  const isRejected = isUnauthorized(failure) && call.key?.reject(key) === true;
  // A 429 begins its pause here, before the permit goes to the next call.
  const decision = decideRetry(call, {
    failure,
    sentAt,
    failed: past.failures.filter((each) => each === failure || isOfOutage(each)).length,
    timeLeft: deadline.timeLeft(),
    mayAskForKey: isRejected && past.rejectedKey === undefined,
  });
  if (isRejected) past.rejectedKey ??= key;
  const { wait, reason, retryAt } = decision;
  const status = statusOf(failure);
  const failed = failure.kind === "response" ? undefined : nameOf(failure);
  record(past, sentAt, { status, failure: failed, wait, reason });
  if (wait === undefined) throw new AttemptFailed(failure, { retryAt });
  tell(call.settings, "onRetry", () => ({
    ...eventOf(call, number),
    failure: codeOf(failure),
    wait,
    reason,
  }));
  // After a 429, the call waits together with all others, for a permit.
  return { wait: isLimit(failure) ? 0 : wait };
}

function record(
  { attempts }: Past,
  sentAt: number,
  end: Omit<Attempt, "number" | "duration">,
): void {
  const duration = Math.round(monotonicClock.now() - sentAt);
  attempts.push({ number: attempts.length + 1, duration, ...end });
}

/** A 429 or a 401 comes from a working service. It uses up neither attempts nor the retry budget. */
function isOfOutage(failure: AttemptFailure): boolean {
  return !isLimit(failure) && !isUnauthorized(failure);
}
