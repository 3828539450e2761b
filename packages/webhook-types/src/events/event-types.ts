import { memberOf } from "@fieldmesh/core/internal";
import type { EventEnvelope, UnknownEvent } from "./envelope.ts";
import { currentEventTypes, earlierEventTypes } from "./generated/event-types.ts";
import type { EventType } from "./webhook-event.ts";

export * from "./generated/event-types.ts";

/** Every event type that this version knows. */
export const eventTypes: readonly EventType[] = /* @__PURE__ */ [
  currentEventTypes,
  earlierEventTypes,
].flat();

const typeNames: ReadonlySet<string> = /* @__PURE__ */ new Set(eventTypes);

/**
 * Tells whether this version knows the type of an event. `switch (event.type)` then narrows it.
 *
 * @example
 * ```ts
 * if (isKnownEvent(event) && event.type === "sim.activated") console.log(event.data.object.subscriber_id);
 * ```
 */
export function isKnownEvent<Known extends EventEnvelope>(
  event: Known | UnknownEvent,
): event is Known {
  return typeNames.has(memberOf(event, "type") as string);
}

export function isEventType(type: string): type is EventType {
  return typeNames.has(type);
}

const DELETIONS: ReadonlySet<string> = new Set([
  "subscriber.deleted",
  "plan.deleted",
  "addon.deleted",
]);

export function isDeletion({ type }: { readonly type: string }): boolean {
  return DELETIONS.has(type);
}

/** Whether an event removes data, which no late older event may bring back: a deletion or a redaction. */
export function isRemoval(event: { readonly type: string }): boolean {
  return isDeletion(event) || isErasure(event);
}

/** Whether an event clears the personal fields of its subscriber. */
export function isErasure({ type }: { readonly type: string }): boolean {
  return type === "subscriber.redacted" || type === "subscriber.deleted";
}
