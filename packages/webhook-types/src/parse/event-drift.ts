import type { EventEnvelope, EventProblem } from "../events/envelope.ts";
import { showName } from "../show-name.ts";
import { tell } from "@fieldmesh/core";

/** An event whose payload differs from its type. It holds no value of the payload, so that it may be logged. */
export interface EventDrift {
  readonly event: Pick<EventEnvelope, "id" | "type">;
  readonly problems: readonly EventProblem[];
}

/** Notes on an event where it has drifted, and reports that. */
export function reportDrift(
  event: EventEnvelope,
  problems: readonly EventProblem[],
  onDrift: (drift: EventDrift) => void = warnOnce,
): void {
  const { id, type } = event;
  // A field of that name on the wire is kept.
  if (!("drift" in event)) Object.defineProperty(event, "drift", { value: problems });
  tell("onDrift", onDrift, (call) => call({ event: { id, type }, problems }));
}

const warned = new Set<string>();

/** One line for each type and place: a deployment that differs does so in every event. */
function warnOnce({ event: { type }, problems }: EventDrift): void {
  for (const { path, message } of problems) {
    const place = `${showName(type)}: ${showName(path)}`;
    if (warned.has(place)) continue;
    warned.add(place);
    // oxlint-disable-next-line no-console -- without onDrift it would get lost
    console.warn(
      `${place}: ${message}. The event was handed over as it came. Pass onDrift to receive these reports, or validation: "off".`,
    );
  }
}
