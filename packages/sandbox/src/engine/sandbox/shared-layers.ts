import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../serve/call.ts";
import type { PlayedFaults } from "../faults/fault-script.ts";
import { playFaults } from "../faults/play-faults.ts";
import { addLatency } from "../serve/latency.ts";
import type { WritableLog } from "../log/request-log.ts";
import type { Served, ServiceName } from "../services/served.ts";
import type { ArrivalState, Journal } from "../time/journal.ts";

/** What the layers around a service need. */
export interface LayersSetting {
  readonly log: WritableLog;
  readonly journal: Journal<Served, unknown>;
  readonly faults: () => PlayedFaults;
  /** The numbers of records now. */
  readonly count: () => Omit<ArrivalState, "faults">;
  /** Milliseconds that every request waits. */
  readonly latency: number;
  readonly clock: Clock;
  /** Whether the service is still in use: a restore replaces it. */
  readonly isCurrent: () => boolean;
}

/**
 * Creates the layers around a service: the log, the latency, the faults, and the journal of what has changed. A request that the
 * journal repeats passes none of them.
 */
export function sharedLayers(
  service: ServiceName,
  { log, journal, faults, count, latency, clock, isCurrent }: LayersSetting,
): Layer[] {
  const layers: Layer[] = [
    log.layer(service),
    (next) => (call) => {
      journal.arrive(log.lastNumber, { faults: faults().position(), ...count() });
      return next(call);
    },
    ...(latency > 0 ? [addLatency(latency)] : []),
    playFaults(service, (target) => faults().choose(target), clock),
    // A call that was delayed until after a restore changes data that nobody has any more.
    (next) => (call) =>
      isCurrent()
        ? journal.change(
            () => next(call),
            (current) => current[service].repeat(call),
          )
        : next(call),
  ];
  return [
    (next) => {
      const whole = layers.reduceRight((inner, layer) => layer(inner), next);
      return (call) => (journal.repeating === undefined ? whole(call) : next(call));
    },
  ];
}
