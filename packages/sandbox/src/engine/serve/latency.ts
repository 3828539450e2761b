import { systemClock } from "@fieldmesh/core";
import type { Layer } from "./call.ts";

/** The layer that delays every request by some milliseconds of real time. */
export function addLatency(ms: number): Layer {
  return (next) => async (call) => {
    await systemClock.sleep(ms);
    return next(call);
  };
}
