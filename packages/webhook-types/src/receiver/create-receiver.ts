// Why it is so: docs/decisions/10-respond-after-the-handlers.md
import { steadyClock, systemClock, mistake, readInput } from "@fieldmesh/core/internal";
import { parseEvent } from "../parse/parse-event.ts";
import { createEventRouter } from "../router/create-event-router.ts";
import type { EventMap } from "../events/webhook-event.ts";
import type { CheckedNames } from "../router/checked-names.ts";
import type { AnyEventMap } from "../router/event-handlers.ts";
import { respondWith } from "../adapters/web.ts";
import { createReporter, type DeliveryResult } from "./report-delivery.ts";
import { responseOf } from "./responses.ts";
import { checkReceiverOptions } from "./check-options.ts";
import type { EventOutcome } from "./event-outcome.ts";
import { handleChecked } from "./handle-event.ts";
import { checkingOf, createReader, deliveryOf, readEvent } from "./read-delivery.ts";
import { runAgain } from "./run-again.ts";
import type { RawMessage, RawReceiver, ReceiverResponse } from "../adapters/raw-message.ts";
import { traceDelivery } from "./trace-delivery.ts";
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
export function createReceiver(options: ReceiverOptions): Receiver {
  return readInput("The argument of createReceiver", () => makeReceiver(options));
}

function makeReceiver(options: ReceiverOptions): Receiver {
  checkReceiverOptions(options);
  const { clock = systemClock, expectLivemode } = options;
  const parse: NonNullable<ReceiverOptions["parse"]> = options.parse ?? parseEvent;
  const { store, order, lease, poison } = options;
  const checking = checkingOf(options);
  const read = createReader(options);
  const router = createEventRouter(options.handlers);
  const handling = { store, order, lease, clock, router, poison };
  const report = createReporter(options, steadyClock(clock));

  const receive = (message: RawMessage): Promise<ReceiverResponse> =>
    traceDelivery(async () => {
      const result = await receiveOne(message);
      const response = responseOf(result.outcome, result.retryIn);
      report(result, response.status);
      return { result, response };
    });

  const receiveOne = async (message: RawMessage): Promise<DeliveryResult> => {
    const reading = await read(message);
    if (!("verified" in reading)) return reading;
    const { verified, tenant } = reading;
    const found = readEvent(() => parse(verified.body, checking), expectLivemode);
    if (!("parsed" in found)) return found;
    const event = found.parsed;
    const named = { id: event.id, type: event.type };
    const origin = { delivery: deliveryOf(verified), body: verified.body, signal: message.signal };
    return { event: named, ...(await handleChecked(event, { ...handling, tenant }, origin)) };
  };

  const runOneAgain = async (id: string): Promise<EventOutcome> => {
    if (poison === undefined)
      throw mistake("This receiver sets no event aside. Pass poison: { store }.");
    return runAgain(id, { ...handling, poison, parse: (body) => parse(body, checking) });
  };
  return Object.assign(respondWith(receive), { receive, runAgain: runOneAgain });
}
