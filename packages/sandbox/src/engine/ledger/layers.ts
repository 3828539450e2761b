import type { Clock } from "@fieldmesh/core";
import { textResponse } from "../responses.ts";
import type { Layer } from "../call.ts";
import { countPerMinute } from "../rate-limit.ts";
import { rejectedByEdge, tooBusy } from "./errors.ts";

/** The layer that requires a User-Agent. */
export const needUserAgent: Layer = (next) => async (call) =>
  (call.request.headers.get("user-agent") ?? "") === "" ? rejectedByEdge() : next(call);

/** The layer that sends a cursor which comes with other parameters to the address of the cursor alone. */
export const cursorAlone: Layer = (next) => async (call) => {
  const { pathname, searchParams } = call.url;
  const cursor = searchParams.get("cursor");
  if (cursor === null || searchParams.size === 1) return next(call);
  const location = `${pathname}?cursor=${encodeURIComponent(cursor)}`;
  return textResponse("", { status: 301, headers: { location } });
};

/** The layer that responds 429, with the time to wait, once too many requests have come within a minute. */
export function throttle(perMinute: number, clock: Clock): Layer {
  const countRequest = countPerMinute(clock);
  return (next) => async (call) => {
    const { count, left } = countRequest("all");
    return count > perMinute ? tooBusy(left) : next(call);
  };
}
