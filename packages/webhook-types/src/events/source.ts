import { readInput } from "@fieldmesh/core/internal";
import { checkIsEvent } from "./is-event.ts";
import type { EventEnvelope } from "./envelope.ts";

/** The source of an event: a signed webhook, or the list of stored events, which lack codes and addresses. */
export type EventSource = "webhook" | "store";

const SOURCE = Symbol.for("@fieldmesh/event-source");

/**
 * Returns the source of an event. A stored event never has a one-time code, a recipient's email or an address.
 *
 * @example
 * ```ts
 * if (sourceOf(event) === "store") console.log("the code is gone");
 * ```
 */
export function sourceOf(event: EventEnvelope): EventSource {
  checkIsEvent("sourceOf", event);
  return readInput("The argument of sourceOf", () => (SOURCE in event ? "store" : "webhook"));
}

/** Marks an event in place. Uses a symbol, so that JSON omits it and it cannot collide with a future field of the wire format. */
export function markStored(event: object): void {
  (event as { [SOURCE]?: true })[SOURCE] = true;
}
