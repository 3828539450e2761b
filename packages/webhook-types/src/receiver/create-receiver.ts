// Why it is so: docs/decisions/10-respond-after-the-handlers.md
import { isRecord, options, readInput, requires } from "@fieldmesh/core/internal";
import type { RawReceiver } from "../adapters/raw-message.ts";
import type { EventMap } from "../events/webhook-event.ts";
import type { CheckedNames } from "../router/checked-names.ts";
import type { AnyEventMap } from "../router/event-handlers.ts";
import { aboutDeliveries, aboutEvents, aboutReports } from "./check-options.ts";
import { createHandling } from "./create-handling.ts";
import { createResponder } from "./create-responder.ts";
import type { EventOutcome } from "./event-outcome.ts";
import { deliveryOf } from "./read-delivery.ts";
import type { ReceiverOptions } from "./receiver-options.ts";

/**
 * Responds to deliveries: a function from Request to Response, which adapters also call. It rejects only for an argument that is not a
 * Request, with a TypeError that names the adapters.
 */
export interface Receiver extends RawReceiver {
  (request: Request): Promise<Response>;
  /**
   * Runs the handlers of an event that was set aside, and returns the outcome. See the option `poison`.
   *
   * An event that succeeds is removed from the list, and one that fails again stays. Rejects for an id that is not in the list,
   * and for an event that cannot be read again.
   */
  readonly runAgain: (id: string) => Promise<EventOutcome>;
}

/**
 * Creates a receiver of webhooks. It reads the body up to a limit, verifies, parses and claims the event, runs the handlers, and
 * responds.
 *
 * No event is lost after a 2xx, because the receiver responds only after the handlers have finished and the store has recorded
 * it. How often an event may be handled again depends on the store: `memoryStore()`, `noStore()`, or a store from the entry
 * `./stores`. It has no default value, because each choice has a cost. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * const receive = createReceiver({
 *   secret: process.env.WEBHOOK_SECRET!,
 *   store: memoryStore(),
 *   handlers: { "sim.activated": (event) => console.log(event.data.object.subscriber_id) },
 * });
 * ```
 */
export function createReceiver<Events extends AnyEventMap = EventMap, Name extends string = never>(
  options: NoInfer<ReceiverOptions<Events>> & { readonly handlers: CheckedNames<Name, Events> },
): Receiver;
export function createReceiver(given: ReceiverOptions): Receiver {
  return readInput("The argument of createReceiver", () => makeReceiver(given));
}

function makeReceiver(given: ReceiverOptions): Receiver {
  if (!isRecord(given))
    throw requires("createReceiver", "an object of options, { secret, store, handlers }", given);
  const own = readOptions(given);
  const { handle, runAgain } = createHandling("receiver", own);
  const receive = createResponder(own, ({ verified, tenant }, { signal }) =>
    handle(verified.body, tenant, { delivery: deliveryOf(verified), signal }),
  );
  return Object.assign(receive, { runAgain });
}

const readOptions = /* @__PURE__ */ options<ReceiverOptions>(
  "A receiver",
  /* @__PURE__ */ receiverTable(),
);

function receiverTable() {
  return { ...aboutDeliveries(), ...aboutEvents("A receiver"), ...aboutReports };
}
