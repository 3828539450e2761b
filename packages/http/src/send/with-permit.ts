import type { Permit } from "../limit/permits.ts";
import { TIME_IS_UP, type Deadline } from "../wire/deadline.ts";
import { AttemptFailed } from "./failure.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** The call got a permit after a pause had begun, and must wait again. */
const PAUSED = Symbol("paused");

/**
 * Runs an attempt with a permit. The call waits while the client pauses, and then until the rate limit has a permit for it. A call
 * that is sent only once does not wait, because its caller handles the limit.
 */
export async function withPermit<T>(
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
    throw new AttemptFailed({ kind: "unsent", waitedFor: "permit" });
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
