import type { EventEnvelope, EventProblem } from "../events/envelope.ts";
import { showName } from "../events/show-name.ts";
import { notify } from "@fieldmesh/core/internal";

/** An event whose payload differs from its type. It contains no value of the payload, so you may log it. */
export interface EventDrift {
  readonly event: Pick<EventEnvelope, "id" | "type">;
  readonly problems: readonly EventProblem[];
}

/** Marks an event that has drifted, and reports it. */
export function reportDrift(
  event: EventEnvelope,
  problems: readonly EventProblem[],
  onDrift: (drift: EventDrift) => void = warnOnce,
): void {
  const { id, type } = event;
  // A field with that name on the wire is kept.
  if (!("drift" in event)) Object.defineProperty(event, "drift", { value: problems });
  notify("onDrift", onDrift, (call) => call({ event: { id, type }, problems }));
}

const warned = new Set<string>();

/** Prints one line for each type and place, because a deployment that differs does so in every event. */
function warnOnce({ event: { type }, problems }: EventDrift): void {
  for (const { path, message } of problems) {
    const place = `${showName(type)}: ${showName(path)}`;
    if (warned.has(place)) continue;
    warned.add(place);
    // oxlint-disable-next-line no-console -- without onDrift it would be lost
    console.warn(
      `${place}: ${message}. The event was handled unchanged. Pass onDrift to receive these reports, or validation: "off".`,
    );
  }
}
