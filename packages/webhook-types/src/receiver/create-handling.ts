import { mistake } from "@fieldmesh/core/internal";
import type { EventMap } from "../events/webhook-event.ts";
import { parseEvent, type ValidationOptions } from "../parse/parse-event.ts";
import { createEventRouter } from "../router/create-event-router.ts";
import { checkOrder } from "./ask-order.ts";
import type { EventOutcome } from "./event-outcome.ts";
import type { EventOrigin } from "./handle-event-options.ts";
import { handleChecked } from "./handle-event.ts";
import { readEvent } from "./read-delivery.ts";
import type { HandlingOptions, ReceiverOptions } from "./receiver-options.ts";
import type { DeliveryResult } from "./report-delivery.ts";
import { runChecked } from "./run-again.ts";

/** Creates the functions that handle events. `who` is named in an error. */
export function createHandling(
  who: string,
  own: HandlingOptions<EventMap> & Pick<ReceiverOptions, "clock" | "expectLivemode">,
) {
  checkOrder(own);
  const { store, order, lease, clock, poison, validation, onDrift } = own;
  const parseWith: NonNullable<ReceiverOptions["parse"]> = own.parse ?? parseEvent;
  // Without those that are not set, so that a parser keeps its own.
  const checking: ValidationOptions = {
    ...(validation && { validation }),
    ...(onDrift && { onDrift }),
  };
  const parse = (body: unknown) => parseWith(body, checking);
  const handling = { store, order, lease, clock, poison, router: createEventRouter(own.handlers) };

  return {
    /** Parses a body, and handles its event. */
    handle: async (
      body: string | Uint8Array,
      tenant: string | undefined,
      origin: EventOrigin,
    ): Promise<DeliveryResult> => {
      const found = readEvent(() => parse(body), own.expectLivemode);
      if (!("parsed" in found)) return found;
      const event = found.parsed;
      const named = { id: event.id, type: event.type };
      const all = { ...origin, body };
      return { event: named, ...(await handleChecked(event, { ...handling, tenant }, all)) };
    },
    /** Runs an event again that was set aside. */
    runAgain: async (id: string): Promise<EventOutcome> => {
      if (poison === undefined)
        throw mistake(`This ${who} sets no event aside. Pass poison: { store }.`);
      return runChecked(id, { ...handling, poison, parse });
    },
  };
}
