import type { Clock } from "@fieldmesh/core";
import { textAnswer } from "./responses.ts";
import type { Layer } from "./call.ts";

const MINUTE = 60_000;
const IN_PROCESS = "in process";

/** The layer that answers 429 with a text and no Retry-After once an address has sent too much within a minute. */
export function limitRate(perMinute: number, clock: Clock): Layer {
  const windows = new Map<string, { ends: number; count: number }>();
  return (next) => async (call) => {
    const address = call.connection.remoteAddress ?? IN_PROCESS;
    const now = clock.now();
    let window = windows.get(address);
    if (window === undefined || window.ends <= now)
      windows.set(address, (window = { ends: now + MINUTE, count: 0 }));
    window.count++;
    return window.count > perMinute ? textAnswer("Too many requests", { status: 429 }) : next(call);
  };
}
