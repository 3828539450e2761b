import { tell } from "@fieldmesh/core";
import ky from "ky";
import type { Attempt } from "../errors/call-error.ts";
import { AttemptFailed, nameOf, readFailure, type AttemptFailure } from "./failure.ts";
import { failureToError } from "./failure-to-error.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { putKey, putKnownKey } from "./put-key.ts";
import { decideRetry, isLimit, isUnauthorized, TOO_MANY_REQUESTS } from "./retry-policy.ts";
import { eventOf, sendOnce, type Success } from "./send-once.ts";
import { traceAttempt } from "./trace-attempt.ts";
import { untilAborted } from "../wire/until-aborted.ts";

/**
 * Sends a call with up to the allowed number of attempts and returns the successful response.
 *
 * ky runs the attempts, their timeouts and the waits. Its hooks delay the call while the client pauses, and set the key. ky
 * receives only the origin and the method. Path, query, headers and body stay in this file, so an error of ky cannot contain
 * them.
 */
export async function runAttempts(
  call: PreparedCall,
): Promise<Success & { attempts: readonly Attempt[]; timeLeft: number }> {
  const { request, settings, base, budget, pause, turns, signal, key } = call;
  const attempts: Attempt[] = [];
  const failures: AttemptFailure[] = [];
  const callStart = performance.now();
  let attemptStart = callStart;
  let started = 0;
  let retryAt: Date | undefined;
  let success: Success | undefined;
  let sentKey: string | undefined;
  let rejectedKey: string | undefined;
  let whyEnded = "no time is left for another attempt";
  let hasTurn = false;
  let isWaitingForTurn = false;

  const timeLeft = (): number => settings.totalTimeout - (performance.now() - callStart);
  const addAttempt = (end: Omit<Attempt, "number" | "duration">): void => {
    const duration = Math.round(performance.now() - attemptStart);
    attempts.push({ number: started, duration, ...end });
  };

  /** Adds a failed attempt, and returns whether another one follows. */
  const fail = (error: unknown): boolean => {
    // The call ended before the attempt began.
    if (attempts.length === started) return false;
    const failure = readFailure(error, signal);
    failures.push(failure);
    const failed = "response" in failure ? undefined : nameOf(failure);
    if (failed !== undefined) {
      const duration = performance.now() - attemptStart;
      const makeEvent = () => ({ ...eventOf(call, started), failure: failed, duration });
      tell("hooks.onFailure", settings.hooks.onFailure, (hook) => hook(makeEvent()));
      settings.log?.failure(makeEvent);
    }
    const forgotten =
      isUnauthorized(failure) && sentKey !== undefined && key?.forget(sentKey) === true;
    const decision = decideRetry(call, {
      failure,
      sentAt: attemptStart,
      failed: failures.filter((each) => each === failure || isOfOutage(each)).length,
      timeLeft: timeLeft(),
      mayAskForKey: forgotten && rejectedKey === undefined,
    });
    // Not before a 429 has begun its pause: the next call in line would be sent in spite of it.
    turns.ended("response" in failure ? failure.response : undefined);
    if (forgotten) rejectedKey = sentKey;
    retryAt = decision.retryAt;
    const status = "response" in failure ? failure.response.status : undefined;
    addAttempt({ status, failure: failed, wait: decision.wait, reason: decision.reason });
    const { wait, reason } = decision;
    if (wait === undefined) return false;
    const why = failed ?? status ?? 0;
    settings.log?.retry({ ...eventOf(call, started), failure: why, wait, reason });
    return true;
  };

  /** Waits while the client pauses, unless the pause is longer than the rest of the call. Then waits until the rate limit has room. */
  const takeTurn = async (attemptSignal: AbortSignal): Promise<void> => {
    hasTurn = !pause.isActive() && turns.tryTake(call.priority);
    if (hasTurn) return;
    const ended = stillOpen(attemptSignal);
    isWaitingForTurn = true;
    while (!hasTurn) {
      await pause.wait({ signal: ended, timeLeft });
      await turns.take({ priority: call.priority, signal: ended });
      // Another call may have received a 429 in the meantime.
      hasTurn = pause.left() === 0;
      if (!hasTurn) turns.giveBack();
    }
    isWaitingForTurn = false;
  };

  /** After a timeout, the signal of ky belongs to the attempt that it has ended. */
  const stillOpen = (attemptSignal: AbortSignal): AbortSignal => {
    if (!attemptSignal.aborted || signal?.aborted === true) return attemptSignal;
    const timeIsUp = AbortSignal.timeout(Math.max(0, Math.ceil(timeLeft())));
    return signal === undefined ? timeIsUp : AbortSignal.any([signal, timeIsUp]);
  };

  /** Waits for what a request needs: a turn, and the key. */
  const prepare = async ({ request: { signal: ended } }: { request: Request }): Promise<void> => {
    if (settings.attempts > 1 && !hasTurn) await takeTurn(ended);
    sentKey = await putKey(call, ended);
    const last = failures.at(-1);
    if (sentKey === undefined || sentKey !== rejectedKey || last === undefined) return;
    whyEnded = "the function returned the same key again";
    throw new AttemptFailed(last);
  };

  try {
    sentKey = putKnownKey(call);
    hasTurn = !pause.isActive() && turns.tryTake(call.priority);
    const mustPrepare = !hasTurn || (key !== undefined && sentKey === undefined);
    await ky(base.origin, {
      method: request.method,
      timeout: settings.timeout,
      totalTimeout: settings.totalTimeout,
      ...(signal !== undefined && { signal }),
      retry: {
        // decideRetry counts the attempts.
        limit: Number.MAX_SAFE_INTEGER,
        methods: ["get", "post", "put", "patch", "delete"],
        shouldRetry: ({ error }) => fail(error),
        // After a 429, the call waits together with all others, in `hold`.
        delay: () =>
          attempts.at(-1)?.status === TOO_MANY_REQUESTS ? 0 : (attempts.at(-1)?.wait ?? 0),
      },
      hooks: { beforeRequest: mustPrepare ? [prepare] : [], beforeRetry: [prepare] },
      fetch: async (input) => {
        const attemptSignal = (input as Request).signal;
        attemptSignal.throwIfAborted();
        attemptStart = performance.now();
        started++;
        if (!hasTurn) turns.count();
        hasTurn = false;
        success = await traceAttempt(call, started, (sent) =>
          untilAborted(sendOnce(sent, started, attemptSignal), attemptSignal),
        );
        turns.ended(success.response);
        return new Response(null);
      },
    });
  } catch (error) {
    // ky does not call the hook after an attempt that used up the time of the whole call.
    if (attempts.length < started) fail(error);
    else if (error instanceof AttemptFailed && error.failure.kind === "held") {
      retryAt = new Date(Date.now() + pause.left());
      if (failures.length === 0) failures.push(error.failure);
    } else if (error instanceof AttemptFailed && error.failure.kind === "key")
      failures.push(error.failure);
    const isAborted = signal?.aborted === true;
    endWait(attempts, isAborted ? "the signal was aborted" : whyEnded);
    const isWhole =
      started === 0 || attemptStart - callStart + settings.timeout >= settings.totalTimeout;
    const limit = isWhole ? "totalTimeout" : "timeout";
    throw failureToError(call, {
      attempts,
      failures,
      retryAt,
      limit,
      isAborted,
      isWaitingForTurn: isWaitingForTurn && started === 0,
    });
  } finally {
    if (hasTurn) turns.giveBack();
  }
  if (success === undefined) throw new Error("unreachable: ky resolves only after a success");
  const { response, value } = success;
  // The signals of ky keep the variables of this function alive until the next full garbage collection.
  success = undefined;
  addAttempt({
    status: response.status,
    failure: undefined,
    wait: undefined,
    reason: "answered",
  });
  pause.end(attemptStart);
  budget.succeeded(failures.filter(isOfOutage).length);
  return { response, value, attempts, timeLeft: timeLeft() };
}

/** A 429 or a 401 comes from a working service. It uses up neither attempts nor the retry budget. */
function isOfOutage(failure: AttemptFailure): boolean {
  return !isLimit(failure) && !isUnauthorized(failure);
}

/** Marks the last attempt: another one was planned, but the call ended before. */
function endWait(attempts: Attempt[], reason: string): void {
  const last = attempts.at(-1);
  if (last?.wait !== undefined)
    attempts[attempts.length - 1] = { ...last, wait: undefined, reason };
}
