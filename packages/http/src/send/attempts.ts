import { monotonicClock } from "@fieldmesh/core";
import type { Attempt } from "../errors/call-error.ts";
import { TIME_IS_UP, type Deadline } from "../wire/deadline.ts";
import { AttemptFailed, type AttemptFailure } from "./failure.ts";
import { failureToError, type FailedCall } from "./failure-to-error.ts";
import { makeAttempt, type Past } from "./make-attempt.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { knowKey, putKey } from "./put-key.ts";
import type { Success } from "./send-once.ts";
import { withPermit } from "./with-permit.ts";

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
        if (key !== undefined && key === rejectedKey) throw sameKeyAgain(past);
        const mayAskForKey = key !== undefined && rejectedKey === undefined;
        return await makeAttempt(call, { past, deadline, permit, key, mayAskForKey });
      });
      if ("value" in ended) return { ...ended, attempts: past.attempts };
      rejectedKey ??= ended.rejectedKey;
      if (ended.wait > 0) await monotonicClock.sleep(ended.wait, deadline.signal());
    }
  } catch (error) {
    throw failureToError(call, endOf(call, past, error));
  }
}

function sameKeyAgain({ failures }: Past): AttemptFailed {
  const whyEnded = "the function returned the same key again";
  return new AttemptFailed(failures.at(-1) ?? { kind: "unsent", waitedFor: "key" }, { whyEnded });
}

/** Describes the end of a call by what ended it: a failed attempt, a step before an attempt, or the deadline. */
function endOf(call: PreparedCall, { attempts, failures }: Past, error: unknown): FailedCall {
  const isAborted = call.signal?.aborted === true;
  const { failure, end } = error instanceof AttemptFailed ? error : readEnd(error, isAborted);
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
    failures: isNew(failure, failures) ? [...failures, failure] : failures,
    retryAt: end.retryAt,
  };
}

/** The deadline ended a wait. Any other error is a bug of ours. */
function readEnd(error: unknown, isAborted: boolean): AttemptFailed {
  if (isAborted || error === TIME_IS_UP)
    return new AttemptFailed({ kind: "unsent", waitedFor: "key" });
  const thrown = error instanceof Error ? error : undefined;
  return new AttemptFailed({ kind: "unforeseen", thrown });
}

/** A call that has failed before ends with that failure, whatever it waited for then. A failed function is another failure, and so is a bug. */
function isNew(failure: AttemptFailure, failures: readonly AttemptFailure[]): boolean {
  return failures.length === 0 || failure.kind === "key" || failure.kind === "unforeseen";
}
