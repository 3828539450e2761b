import type { Clock } from "@fieldmesh/core";
import { textAnswer } from "../responses.ts";
import type { Layer } from "../call.ts";
import { edgeRefusal, tooBusy } from "./refusals.ts";

const MINUTE = 60_000;

/** The layer that lets nobody in who does not say who they are. */
export const needUserAgent: Layer = (next) => async (call) =>
  (call.request.headers.get("user-agent") ?? "") === "" ? edgeRefusal() : next(call);

/** The layer that sends a cursor which comes with other parameters to the address of the cursor alone. */
export const cursorAlone: Layer = (next) => async (call) => {
  const { pathname, searchParams } = call.url;
  const cursor = searchParams.get("cursor");
  if (cursor === null || searchParams.size === 1) return next(call);
  const location = `${pathname}?cursor=${encodeURIComponent(cursor)}`;
  return textAnswer("", { status: 301, headers: { location } });
};

/** The layer that answers 429, with the time to wait, once too many requests have come within a minute. */
export function throttle(perMinute: number, clock: Clock): Layer {
  let window = { ends: -Infinity, count: 0 };
  return (next) => async (call) => {
    const now = clock.now();
    if (window.ends <= now) window = { ends: now + MINUTE, count: 0 };
    window.count++;
    return window.count > perMinute ? tooBusy(window.ends - now) : next(call);
  };
}
