import { monotonicClock } from "@fieldmesh/core/internal";
import { BROKEN_OFF } from "../response/parse-body.ts";
import { createDeadline, shortestLimit, TIME_IS_UP, untilAborted } from "../wire/deadline.ts";
import { beginList, type BegunResponse, ENDED_EARLY, type Wait } from "../wire/open-list.ts";
import { AttemptFailed } from "./failure.ts";
import type { PreparedCall, Success } from "./prepared-call.ts";
import { readThrown, sendOnce } from "./send-once.ts";

/** Sends one request like `sendOnce`, and reads until the first record, so that the attempt can still be repeated. */
export function sendList(
  call: PreparedCall,
  signal: AbortSignal,
  timeLeft: number,
): Promise<Success> {
  const wait: Wait = (read) => untilAborted(read(), signal);
  return sendOnce(call, signal, timeLeft, async (fetched) => {
    const response = await beginList(fetched, call.settings.maxResponseBytes);
    await orFail(call, response, async () => await response.list?.begin(wait));
    return response;
  });
}

/** Returns the texts of the next records, or `undefined` at the end of the list. Throws an AttemptFailed. */
export function readRecords(
  call: PreparedCall,
  response: BegunResponse,
  wait: Wait,
): Promise<readonly string[] | undefined> {
  return orFail(call, response, async () => await response.list?.next(wait));
}

/** Limits each wait for a part of the body by `timeout`, and all of them by the rest of `totalTimeout`. */
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
