import type { Clock } from "@fieldmesh/core";
import type { Layer } from "./call.ts";
import { textResponse } from "./responses.ts";

const MINUTE = 60_000;
const IN_PROCESS = "in process";

/** What each sender has sent in its current minute. */
export type RateWindows = Map<string, { ends: number; count: number }>;

/** Makes a function that counts a request of a sender: how many came in the current minute, and what is left of it. */
export function countPerMinute(
  clock: Clock,
  windows: RateWindows = new Map(),
): (sender: string) => { count: number; left: number } {
  return (sender) => {
    const now = clock.now();
    let window = windows.get(sender);
    if (window === undefined || window.ends <= now)
      windows.set(sender, (window = { ends: now + MINUTE, count: 0 }));
    window.count++;
    return { count: window.count, left: window.ends - now };
  };
}

/** The layer that responds 429 with a string and no Retry-After once an address has sent too much within a minute. */
export function limitRate(perMinute: number, clock: Clock, windows?: RateWindows): Layer {
  const countRequest = countPerMinute(clock, windows);
  return (next) => async (call) =>
    countRequest(call.connection.remoteAddress ?? IN_PROCESS).count > perMinute
      ? textResponse("Too many requests", { status: 429 })
      : next(call);
}
