import type { AnyEventMap } from "../router/event-handlers.js";
import type { ReceiverOptions } from "./receiver-options.js";

/** Throws a TypeError for options that cannot work; those of the verifier and the router are checked by them. */
export function checkReceiverOptions<Events extends AnyEventMap>(
  options: Partial<ReceiverOptions<Events>>,
): void {
  const { store, handlers, maxBytes = 1, lease = 1 } = options;
  if (store === undefined)
    throw new TypeError(
      "A receiver needs a store: memoryStore() for one process, one of @fieldmesh/webhook-types/stores for several, or noStore() where an event may be handled twice.",
    );
  if (!("claim" in store) && !("run" in store))
    throw new TypeError("store is neither an IdempotencyStore nor an Inbox.");
  if (handlers === undefined)
    throw new TypeError("A receiver needs handlers, as createEventRouter takes them.");
  if (!(maxBytes > 0)) throw new TypeError("maxBytes must be more than 0.");
  if (!(lease > 0 && Number.isFinite(lease)))
    throw new TypeError("lease must be more than 0 milliseconds, and finite.");
}
