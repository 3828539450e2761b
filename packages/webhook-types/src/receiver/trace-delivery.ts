import { deliveryChannel, trace } from "@fieldmesh/core/internal";
import type { ReceiverResponse } from "../adapters/raw-message.ts";
import type { DeliveryResult } from "./report-delivery.ts";
import { STATUS } from "./responses.ts";
import { showName } from "../events/show-name.ts";

/** Publishes a delivery, up to its response, to `fieldmesh:delivery`. */
export async function traceDelivery(
  receive: () => Promise<{ result: DeliveryResult; response: ReceiverResponse }>,
): Promise<ReceiverResponse> {
  const { response } = await trace(deliveryChannel, receive, {
    start: () => ({}),
    end: ({ result, response: { status } }) => endOf(result, status),
  });
  return response;
}

/** Publishes the job of a delivery to `fieldmesh:delivery`, with what its receiver has stored for the trace. */
export function traceJob(
  carrier: Readonly<Record<string, string>>,
  work: () => Promise<DeliveryResult>,
): Promise<DeliveryResult> {
  return trace(deliveryChannel, work, {
    start: () => ({ carrier }),
    end: (result) => endOf(result, STATUS[result.outcome]),
  });
}

function endOf({ outcome, reason, event }: DeliveryResult, status: number) {
  const named = event && { id: showName(event.id), type: showName(event.type) };
  return { outcome, status, reason, event: named };
}
