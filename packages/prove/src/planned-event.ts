import { isRecord } from "@fieldmesh/core/internal";
import type { EventEnvelope, EventType } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import type { PlannedEvent } from "./plan.ts";

/** The end of a type that the receiver cannot know. */
const UNKNOWN = ".prove_happened";
const FIRST = Date.UTC(2025, 11, 31, 23, 59);
const SECOND = 1_000;

/** Writes an event as the service would. The same plan always makes the same event. */
export function toEvent(types: readonly EventType[], planned: PlannedEvent): EventEnvelope {
  const [index, object, second] = planned;
  const sample = sampleEvent<EventType>(sampledType(types, index)) as unknown as EventEnvelope;
  const snapshot = sample.data["object"];
  const hasId = isRecord(snapshot) && "id" in snapshot;
  return {
    ...sample,
    id: idOf(types, planned),
    type: typeOf(types, index),
    created_at:
      second === "unreadable" ? "no date" : new Date(FIRST + second * SECOND).toISOString(),
    data: { ...sample.data, object: hasId ? { ...snapshot, id: `object_${object}` } : snapshot },
  };
}

const PREFIX = "evt_";

/** Tells whether a type is one that nobody knows. */
export function isUnknownType(type: string): boolean {
  return type.endsWith(UNKNOWN);
}

/** Tells whether an id is that of an event of a type that nobody knows. */
export function isUnknown(id: string): boolean {
  return id.startsWith(PREFIX) && id.includes(`${UNKNOWN}_`);
}

/** Two different events may have the same type, object and time. */
export function idOf(types: readonly EventType[], planned: PlannedEvent): string {
  const [index, object, second, other = 0] = planned;
  return [`${PREFIX}${typeOf(types, index)}`, object, second, ...(other === 0 ? [] : [other])].join(
    "_",
  );
}

function typeOf(types: readonly EventType[], index: number): string {
  return types[index] ?? `${familyOf(sampledType(types, index))}${UNKNOWN}`;
}

/** The indexes after the last type stand for unknown types of the same families: their order is that of the same objects. */
function sampledType(types: readonly EventType[], index: number): EventType {
  const known = types[index];
  if (known !== undefined) return known;
  const family = familyOf(types[index - types.length] ?? types[0] ?? "sim.activated");
  return types.find((type) => familyOf(type) === family) ?? "sim.activated";
}

function familyOf(type: string): string | undefined {
  return type.split(".", 1)[0];
}
