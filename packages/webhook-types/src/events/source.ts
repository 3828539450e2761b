import type { EventEnvelope } from "./envelope.ts";

/** How an event got here: in a signed webhook, or read from the stored events, which lack codes and addresses. */
export type EventSource = "webhook" | "store";

const SOURCE = Symbol.for("@fieldmesh/event-source");

/**
 * Tells how an event got here: a stored one never carries a one-time code, a recipient's e-mail or an address.
 *
 * @example
 * ```ts
 * if (sourceOf(event) === "store") console.log("the code is gone");
 * ```
 */
export function sourceOf(event: EventEnvelope): EventSource {
  return SOURCE in event ? "store" : "webhook";
}

/** Marks an event in place. By a symbol, so that JSON, and what the wire may carry one day, do not meet it. */
export function markStored(event: object): void {
  (event as { [SOURCE]?: true })[SOURCE] = true;
}
