import type { Clock } from "@fieldmesh/core";
import { canBeSet, isSteerable } from "../time/copy-clock.ts";
import type { ClockView } from "./wire.ts";

export function viewClock(clock: Clock): ClockView {
  const now = clock.now();
  if (isSteerable(clock)) return { now, kind: "steerable", isPaused: clock.paused };
  return canBeSet(clock)
    ? { now, kind: "virtual", isPaused: true }
    : { now, kind: "system", isPaused: false };
}
