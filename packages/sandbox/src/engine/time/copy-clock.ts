import { type Clock, hasMethod } from "@fieldmesh/core/internal";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
import { createSteerableClock, type SteerableClock } from "./steerable-clock.ts";

/** Creates a clock of the same kind at the same time. A clock that cannot be moved, such as the system's, is shared. */
export function copyClock<C extends Clock>(clock: C): C {
  if (!canBeSet(clock)) return clock;
  const start = clock.now();
  const copy = isSteerable(clock)
    ? createSteerableClock({ start, paused: clock.paused })
    : createVirtualClock(start);
  return copy as Clock as C;
}

/** Sets a clock that can be set. */
export function setClock(clock: Clock, time: number): void {
  if (canBeSet(clock)) clock.set(time);
}

export function canBeSet(clock: Clock): clock is VirtualClock {
  return hasMethod(clock, "advance") && hasMethod(clock, "set");
}

export function isSteerable(clock: Clock): clock is SteerableClock {
  return canBeSet(clock) && hasMethod(clock, "pause") && hasMethod(clock, "run");
}
