import { type Deadline, TIME_IS_UP } from "../wire/deadline.ts";
import type { LimitTest, Pause } from "./pause.ts";
import type { Permit, PermitRequest, Permits } from "./permits.ts";

/** Two reasons why a request has to wait: a 429, and the rate limit. */
interface Limiter {
  readonly pause: Pause;
  readonly permits: Permits;
}

interface Waiting extends PermitRequest {
  readonly deadline: Deadline;
  /** A call that is sent only once waits for no limit, because its caller handles it. */
  readonly mayWait: boolean;
}

/** Thrown if the time of a call is up before it has a permit. Its message says what was missing. */
export class NoPermit extends Error {}

/** Runs the work with a permit after the pause is over, and releases the permit however the work ends. */
export async function withPermit<T>(
  limiter: Limiter,
  waiting: Waiting,
  work: (permit: Permit) => Promise<T>,
): Promise<T> {
  const { permit, test } = await waitForPermit(limiter, waiting);
  try {
    return await work(permit);
  } finally {
    limiter.permits.release(permit);
    test?.end(permit.isUsed);
  }
}

async function waitForPermit(
  { pause, permits }: Limiter,
  waiting: Waiting,
): Promise<{ readonly permit: Permit; readonly test?: LimitTest | undefined }> {
  let test: LimitTest | undefined;
  try {
    if (!waiting.mayWait) return { permit: await permits.takeAtOnce(waiting.deadline) };
    for (;;) {
      test = await pause.wait(waiting.deadline);
      const permit = await permits.take(waiting);
      // Another call may have received a 429 while this one waited for its permit.
      if (pause.admits(test)) return { permit, test };
      permits.release(permit);
      test?.end(false);
    }
  } catch (error) {
    test?.end(false);
    throw error === TIME_IS_UP ? new NoPermit(permits.whyNone()) : error;
  }
}
