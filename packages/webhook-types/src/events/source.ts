import { guardInput } from "@fieldmesh/core";
import { checkIsEvent } from "../check-is-event.ts";
import type { EventEnvelope } from "./envelope.ts";

/** Where an event comes from: a signed webhook, or the stored events, which lack codes and addresses. */
export type EventSource = "webhook" | "store";

const SOURCE = Symbol.for("@fieldmesh/event-source");

/**
 * Tells where an event comes from: a stored one never has a one-time code, a recipient's e-mail or an address.
 *
 * @example
 * ```ts
 * if (sourceOf(event) === "store") console.log("the code is gone");
 * ```
 */
export function sourceOf(event: EventEnvelope): EventSource {
  checkIsEvent("sourceOf", event);
  return guardInput("What sourceOf got", event, () => (SOURCE in event ? "store" : "webhook"));
}

/** Marks an event in place. By a symbol, so that JSON omits it and no future field of the wire collides with it. */
export function markStored(event: object): void {
  (event as { [SOURCE]?: true })[SOURCE] = true;
}
