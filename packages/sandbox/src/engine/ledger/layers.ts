import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../serve/call.ts";
import { countPerMinute, type RateWindows } from "../serve/rate-limit.ts";
import { rejectedByEdge, tooBusy } from "./errors.ts";

/** The layer that requires a User-Agent. */
export const needUserAgent: Layer = (next) => {
  // A browser adds this header when it sends a request, and its Request never has it.
  const isHidden = !hasUserAgent(new Request(ANY_URL, { headers: { "user-agent": "any" } }));
  return async (call) => (isHidden || hasUserAgent(call.request) ? next(call) : rejectedByEdge());
};

const ANY_URL = "http://127.0.0.1/";

function hasUserAgent({ headers }: Request): boolean {
  return (headers.get("user-agent") ?? "") !== "";
}

/** The layer that responds with 429 and the time to wait after too many requests within a minute. */
export function throttle(perMinute: number, clock: Clock, windows?: RateWindows): Layer {
  const countRequest = countPerMinute(clock, windows);
  return (next) => async (call) => {
    const { count, left } = countRequest("all");
    return count > perMinute ? tooBusy(left) : next(call);
  };
}
