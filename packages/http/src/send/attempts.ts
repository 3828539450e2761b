import { monotonicClock } from "@fieldmesh/core";
import type { Attempt } from "../errors/call-error.ts";
import { type Deadline, TIME_IS_UP } from "../wire/deadline.ts";
import { AttemptFailed, UNSENT, unforeseen, type AttemptFailure } from "./failure.ts";
import { type FailedCall, failureToError } from "./failure-to-error.ts";
import { type Past, makeAttempt } from "./make-attempt.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { checked } from "./key.ts";
import type { Success } from "./send-once.ts";
import type { Permit } from "../limit/permits.ts";

/** A success, and every request of its call. */
export type Sent = Success & { readonly attempts: readonly Attempt[] };

/**
 * Sends a call and returns the successful response.
 *
 * The loop waits until the key is known and until the rate limit has a permit, puts the key, makes an attempt, and waits before the
 * next one, until an attempt succeeds or none may follow. `makeAttempt` decides which.
 */
export async function runAttempts(call: PreparedCall, deadline: Deadline): Promise<Sent> {
  const past: Past = { attempts: [], failures: [] };
  let rejectedKey: string | undefined;
  try {
    for (;;) {
      await knowKey(call, deadline);
      const ended = await withPermit(call, deadline, async (permit) => {
        const key = await putKey(call, deadline);
        if (key !== undefined && key === rejectedKey) throw sameKeyAgain();
        const mayAskForKey = rejectedKey === undefined;
        return await makeAttempt(call, { past, deadline, permit, key, mayAskForKey });
      });
      if ("value" in ended) return { ...ended, attempts: past.attempts };
      rejectedKey ??= ended.rejectedKey;
      // Stryker disable next-line ConditionalExpression,EqualityOperator: A wait of 0 ms has no other effect.
      if (ended.wait > 0) await monotonicClock.sleep(ended.wait, deadline.signal());
    }
  } catch (error) {
    throw failureToError(call, endOf(call, past, error));
  }
}

/** Waits until the key of a call is known, so that its request is counted under its own credential. */
async function knowKey({ key }: PreparedCall, deadline: Deadline): Promise<void> {
  if (key !== undefined && key.current() === undefined) await key.ask(deadline.signal());
}

/** Sets the key in the headers of a call, and returns it. Waits for it if another call has just had it rejected. */
async function putKey(
  { credential, key, keys, headers }: PreparedCall,
  deadline: Deadline,
): Promise<string | undefined> {
  // Stryker disable next-line all: A client has both or neither. Each client of a shared key has its own check.
  if (credential === undefined || key === undefined) return undefined;
  const value = key.current() ?? (await key.ask(deadline.signal()));
  checked(credential, () => credential.check?.(value));
  keys.add(value);
  headers.set(credential.header, (credential.prefix ?? "") + value);
  return value;
}

/** The call got a permit after a pause had begun, and must wait again. */
const PAUSED = Symbol("paused");

/**
 * Runs an attempt with a permit. The call waits while the client pauses, and then until the rate limit has a permit for it. A call
 * that is sent only once does not wait, because its caller handles the limit.
 */
async function withPermit<T>(
  call: PreparedCall,
  deadline: Deadline,
  attempt: (permit: Permit) => Promise<T>,
): Promise<T> {
  const { pause, permits, priority, settings } = call;
  if (settings.attempts === 1) return await permits.runAtOnce(attempt);
  let own: Permit | undefined;
  let testEnded: ((wasSent: boolean) => void) | undefined;
  const unlessPaused = async (permit: Permit): Promise<T | typeof PAUSED> => {
    // Another call may have received a 429 while this one waited in the queue.
    const mustWait = pause.left() > 0 || (pause.isTesting() && testEnded === undefined);
    if (mustWait) return PAUSED;
    own = permit;
    return await attempt(permit);
  };
  try {
    for (;;) {
      testEnded = pause.isActive() ? await waitForPause(call, deadline) : undefined;
      try {
        const result = await permits.run({ priority, deadline }, unlessPaused);
        if (result !== PAUSED) return result;
      } finally {
        testEnded?.(own?.isUsed === true);
      }
    }
  } catch (error) {
    if (own !== undefined || error !== TIME_IS_UP) throw error;
    throw new AttemptFailed({ ...UNSENT, waitedForPermit: true });
  }
}

/** Waits until the pause is over. If this call tests whether the limit is over, returns what to call when it has ended. */
async function waitForPause(
  { pause }: PreparedCall,
  deadline: Deadline,
): Promise<((wasSent: boolean) => void) | undefined> {
  const end = await pause.wait(deadline);
  if (end.held === undefined) return end.testEnded;
  const retryAt = new Date(Date.now() + pause.saidLeft());
  throw new AttemptFailed({ kind: "held", response: end.held }, { retryAt });
}

function sameKeyAgain(): AttemptFailed {
  return new AttemptFailed(UNSENT, { whyEnded: "the function returned the same key again" });
}

/** Describes the end of a call by what ended it: a failed attempt, a step before an attempt, or the deadline. */
function endOf(call: PreparedCall, { attempts, failures }: Past, error: unknown): FailedCall {
  const isAborted = call.signal?.aborted === true;
  const { failure, end } = error instanceof AttemptFailed ? error : readEnd(error, isAborted);
  const [last = failure] = isNew(failure) ? [] : failures.slice(-1);
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

/** The deadline ended a wait. Any other error is a bug of ours. */
function readEnd(error: unknown, isAborted: boolean): AttemptFailed {
  return new AttemptFailed(isAborted || error === TIME_IS_UP ? UNSENT : unforeseen(error));
}

/** A call that has failed before ends with that failure, whatever it waited for then. A failed function is another failure, and so is a bug. */
function isNew({ kind }: AttemptFailure): boolean {
  return kind === "key" || kind === "unforeseen";
}
