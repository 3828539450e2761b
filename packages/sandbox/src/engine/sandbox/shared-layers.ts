import { type Clock, systemClock } from "@fieldmesh/core";
import type { Layer } from "../serve/call.ts";
import type { PlayedFaults } from "../faults/fault-script.ts";
import { playFaults } from "../faults/play-faults.ts";
import type { KeptCall, KeptCalls } from "../log/kept-calls.ts";
import type { WritableLog } from "../log/request-log.ts";
import type { RepeatedCall } from "../serve/serve.ts";
import type { Served, ServiceName } from "../services/served.ts";
import type { Running } from "../services/rewind.ts";
import type { Journal } from "../time/journal.ts";

/** What the layers around all services share. */
export interface LayersSetting {
  readonly log: WritableLog;
  readonly journal: Journal<Served, unknown>;
  readonly calls: KeptCalls;
  /** Milliseconds that every request waits. */
  readonly latency: number;
  readonly clock: Clock;
}

/** The services now. */
interface Current {
  readonly faults: () => PlayedFaults;
  /** The numbers of records now. */
  readonly count: Running["count"];
  /** Whether the service is still in use: a restore replaces it. */
  readonly isCurrent: () => boolean;
}

/** Creates the layers around a service: log, latency, faults and journal. A request that the journal repeats passes none. */
export function sharedLayers(
  service: ServiceName,
  { log, journal, calls, latency, clock }: LayersSetting,
  { faults, count, isCurrent }: Current,
): Layer[] {
  const layers: Layer[] = [
    log.layer(service),
    (next) => (call) => {
      const size = calls.keep(call).body.length;
      journal.arrive(log.lastNumber, { faults: faults().position(), ...count(), size });
      return next(call);
    },
    (next) => async (call) => {
      if (latency > 0) await systemClock.sleep(latency);
      return next(call);
    },
    playFaults(service, (target) => faults().choose(target), clock),
    // A call that was delayed until after a restore changes data that nobody has any more.
    (next) => (call) =>
      isCurrent()
        ? journal.change(() => next(call), ...repeatOf(service, calls.keep(call), call.fault))
        : next(call),
  ];
  return [
    (next) => {
      const whole = layers.reduceRight((inner, layer) => layer(inner), next);
      return (call) => (journal.repeating === undefined ? whole(call) : next(call));
    },
  ];
}

/** Returns how to repeat a call, and whether its body is lost. A closure in the caller would keep its connection and body. */
function repeatOf(service: ServiceName, kept: KeptCall, fault: RepeatedCall["fault"]) {
  const { method, url, headers, body, remoteAddress } = kept;
  const repeat = (current: Served) =>
    current[service].repeat({
      request: new Request(url, { method, headers }),
      body: body.text ?? "",
      connection: { remoteAddress },
      fault,
    });
  return [repeat, () => body.text === undefined] as const;
}
