import type { Clock } from "@fieldmesh/core";
import type { FaultScript } from "./faults/fault-script.ts";
import type { ServiceOptions } from "./served.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** Options of a sandbox. */
export interface SandboxOptions<C extends Clock = VirtualClock> extends ServiceOptions {
  /** Ids, keys, data and faults by chance follow from it. @default 1 */
  seed?: number | string | undefined;
  /**
   * All time in the sandbox: stamps, rate limits, events. A virtual clock moves only when it is advanced, so after 6,000 requests to
   * the console every further one gets a 429; pass `systemClock` for a sandbox that you use by hand or send more to.
   *
   * @default a virtual clock that starts at 2026-11-20T08:00:00Z
   */
  clock?: C | undefined;
  /** What goes wrong. @default nothing */
  faults?: FaultScript | undefined;
  /** Milliseconds of real time that every request takes at least. @default 0 */
  latency?: number | undefined;
  /** How many requests the log keeps. @default 10_000 */
  logSize?: number | undefined;
}
