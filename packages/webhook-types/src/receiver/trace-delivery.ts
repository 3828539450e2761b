import { deliveryChannel, trace } from "@fieldmesh/core";
import type { ReceiverResponse } from "../adapters/raw-message.ts";
import type { DeliveryResult } from "./report-delivery.ts";
import { showName } from "../events/show-name.ts";

/** Publishes a delivery, up to its response, to `fieldmesh:delivery`. */
export async function traceDelivery(
  receive: () => Promise<{ result: DeliveryResult; response: ReceiverResponse }>,
): Promise<ReceiverResponse> {
  const { response } = await trace(deliveryChannel, receive, {
    start: () => ({}),
    end: ({ result: { outcome, reason, event }, response: { status } }) => ({
      outcome,
      status,
      reason,
      event: event && { id: showName(event.id), type: showName(event.type) },
    }),
  });
  return response;
}
