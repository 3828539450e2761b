import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../call.ts";
import { countPerMinute } from "../rate-limit.ts";
import { rejectedByEdge, tooBusy } from "./errors.ts";

/** The layer that requires a User-Agent. */
export const needUserAgent: Layer = (next) => async (call) =>
  (call.request.headers.get("user-agent") ?? "") === "" ? rejectedByEdge() : next(call);

/** The layer that responds 429, with the time to wait, once too many requests have come within a minute. */
export function throttle(perMinute: number, clock: Clock): Layer {
  const countRequest = countPerMinute(clock);
  return (next) => async (call) => {
    const { count, left } = countRequest("all");
    return count > perMinute ? tooBusy(left) : next(call);
  };
}
