import { isRecord } from "@fieldmesh/core/internal";
import type { EventEnvelope, EventType } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import type { PlannedEvent } from "./plan.ts";

/** A type that the receiver cannot know. */
export const UNKNOWN_TYPE = "prove.happened";
const FIRST = Date.UTC(2025, 11, 31, 23, 59);
const SECOND = 1_000;

/** Writes an event as the service would. The same plan always makes the same event. */
export function toEvent(types: readonly EventType[], planned: PlannedEvent): EventEnvelope {
  const [index, object, second] = planned;
  const type = types[index];
  const sample = sampleEvent<EventType>(type ?? "sim.activated") as unknown as EventEnvelope;
  const snapshot = sample.data["object"];
  const hasId = isRecord(snapshot) && "id" in snapshot;
  return {
    ...sample,
    id: idOf(types, planned),
    type: type ?? UNKNOWN_TYPE,
    created_at: new Date(FIRST + second * SECOND).toISOString(),
    data: { ...sample.data, object: hasId ? { ...snapshot, id: `object_${object}` } : snapshot },
  };
}

const PREFIX = "evt_";

/** Tells whether an id is that of an event of the type that nobody knows. */
export function isUnknown(id: string): boolean {
  return id.startsWith(`${PREFIX}${UNKNOWN_TYPE}`);
}

export function idOf(types: readonly EventType[], [index, object, second]: PlannedEvent): string {
  return `${PREFIX}${types[index] ?? UNKNOWN_TYPE}_${object}_${second}`;
}
