import type { EventEnvelope } from "../events/envelope.ts";
import type { ObjectOrder } from "../stores/object-order.ts";
import { askStore } from "./ask-store.ts";

/** Only `true` drops an event, whatever else a custom order returns. */
export async function saysOlder(order: ObjectOrder, event: EventEnvelope): Promise<boolean> {
  const isOlder: unknown = await askStore("isOlder", () => order.isOlder(event));
  return isOlder === true;
}

/** Returns a function that remembers the event as it was before its handlers, which may change it. */
export function rememberLater(
  order: ObjectOrder | undefined,
  event: EventEnvelope,
): () => Promise<void> | undefined {
  if (order === undefined) return () => undefined;
  const { data } = event;
  const asRead = { ...event, data: { ...data, object: { ...Object(data["object"]) } } };
  return () => askStore("remember", () => order.remember(asRead));
}
