import { monotonicClock } from "@fieldmesh/core/internal";
import { BROKEN_OFF } from "../response/parse-body.ts";
import { createDeadline, shortestLimit, TIME_IS_UP, untilAborted } from "../wire/deadline.ts";
import { type BegunResponse, ENDED_EARLY, type Wait } from "../wire/open-list.ts";
import { AttemptFailed } from "./failure.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { readThrown } from "./send-once.ts";

/**
 * Reads until the first record of a list is there, so that the attempt can still be repeated. Throws an AttemptFailed. A response
 * without a list is complete.
 */
export async function beginRecords(
  call: PreparedCall,
  response: BegunResponse,
  timeLeft: number,
): Promise<void> {
  const { list } = response;
  if (list === undefined) return;
  const wait = createWait(call, timeLeft);
  await orFail(call, response, () => list.begin(wait));
}

/** Returns the texts of the next records, or `undefined` at the end of the list. Throws an AttemptFailed. */
export function readRecords(
  call: PreparedCall,
  response: BegunResponse,
  wait: Wait,
): Promise<readonly string[] | undefined> {
  return orFail(call, response, async () => await response.list?.next(wait));
}

/**
 * Limits each wait for a part of the body by `timeout`, and all of them together by the rest of `totalTimeout`. The time between
 * the waits belongs to the caller.
 */
export function createWait({ settings, signal }: PreparedCall, timeLeft: number): Wait {
  let left = timeLeft;
  return async (read) => {
    const limit = shortestLimit(settings, left);
    const began = monotonicClock.now();
    const deadline = createDeadline(limit.left, signal);
    try {
      return await untilAborted(read(), deadline.signal());
    } catch (error) {
      throw error === TIME_IS_UP ? new AttemptFailed({ kind: "timeout", ...limit }) : error;
    } finally {
      left -= monotonicClock.now() - began;
      deadline.close();
    }
  };
}

/** Closes the connection after a failure, and throws it as an AttemptFailed. */
async function orFail<T>(
  call: PreparedCall,
  { list, status }: BegunResponse,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    list?.close();
    if (error instanceof AttemptFailed) throw error;
    if (call.signal?.aborted === true) throw new AttemptFailed({ kind: "aborted" });
    throw new AttemptFailed(
      error === ENDED_EARLY
        ? { kind: "network", ...BROKEN_OFF, status }
        : readThrown(call, error, status),
    );
  }
}
