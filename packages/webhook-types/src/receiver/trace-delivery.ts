import { deliveryChannel, trace } from "@fieldmesh/core/internal";
import type { DeliveryResult } from "./report-delivery.ts";
import { STATUS } from "./responses.ts";
import { showName } from "../events/show-name.ts";

/** Publishes a delivery, or the job of one with what its receiver has stored for the trace, to `fieldmesh:delivery`. */
export function traceDelivery(
  work: () => Promise<DeliveryResult>,
  job?: { readonly carrier: Readonly<Record<string, string>> },
): Promise<DeliveryResult> {
  return trace(deliveryChannel, work, {
    start: () => ({ ...job }),
    end: ({ outcome, reason, event }) => ({
      outcome,
      status: STATUS[outcome],
      reason,
      event: event && { id: showName(event.id), type: showName(event.type) },
    }),
  });
}
