import { mistake, nearest } from "@fieldmesh/core/internal";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { sampleEvent, type Overrides } from "@fieldmesh/webhook-types/samples";
import { type StoredEvent, wireData } from "./event-copies.ts";

/** Returns a realistic event of any type, with changes merged into it. A type outside the catalog has empty data. */
export function sampledEvent(
  type: string,
  created: Pick<StoredEvent, "id" | "created_at" | "idempotency_key">,
  overrides: object,
): StoredEvent {
  const { data = {}, ...envelope } = overrides as { data?: object; livemode?: boolean };
  const fixed = { ...created, ...envelope };
  const event = isKnown(type)
    ? sampleEvent(type, {
        ...fixed,
        data: type.startsWith("subscriber.") ? subscriberData(type, data) : data,
      } as Overrides<never>)
    : { livemode: false, ...fixed, type, data: { object: {}, ...data } };
  return { ...event, data: wireData(type, event.data) };
}

const known: ReadonlySet<string> = new Set(eventTypes);

/** Tells whether a type is in the catalog. */
export function isKnown(type: unknown): type is EventType {
  return known.has(type as string);
}

/** Throws a TypeError for a type that is not in the catalog. */
export function checkType(type: string): void {
  if (!isKnown(type)) throw mistake(unknownType(type, "eventTypes", "unknown: true"));
}

/** Says that a type does not exist, and which one is meant. `list` and `anyway` are what the reader can use. */
export function unknownType(type: unknown, list: string, anyway: string): string {
  const meant = nearest(String(type), eventTypes);
  const advice = meant === undefined ? `${list} lists them.` : `Did you mean "${meant}"?`;
  return `There is no event type of this name. ${advice} Add ${anyway} to send it anyway.`;
}

/** Returns the given fields of a subscriber, without those that its events never contain. */
function subscriberData(type: string, data: object): object {
  const { object, ...rest } = wireData(type, data);
  return "object" in data ? { ...rest, object } : rest;
}
