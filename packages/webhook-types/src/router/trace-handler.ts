import { handlerChannel, trace } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "../events/envelope.ts";
import { showName } from "../events/show-name.ts";

/** Publishes the work of a handler to `fieldmesh:handler`. Without a subscriber, a synchronous handler creates no promise. */
export function traceHandler(
  { id, type }: Pick<EventEnvelope, "id" | "type">,
  handle: () => unknown,
): unknown {
  if (!handlerChannel.hasSubscribers) return handle();
  return trace(handlerChannel, async () => await handle(), {
    start: () => ({ event: { id: showName(id), type: showName(type) } }),
  });
}
