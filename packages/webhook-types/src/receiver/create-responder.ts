import type { RawMessage, RawReceiver } from "../adapters/raw-message.ts";
import { respondWith } from "../adapters/web.ts";
import { createReader, type VerifiedDelivery } from "./read-delivery.ts";
import type { DeliveryOptions, ReportOptions } from "./receiver-options.ts";
import { createReporter, type DeliveryResult } from "./report-delivery.ts";
import { responseOf, STATUS } from "./responses.ts";
import { deliveryChannel, trace } from "@fieldmesh/core/internal";
import { showName } from "../events/show-name.ts";

/** Creates the function that verifies each delivery, lets `handle` handle it, reports it, and responds. */
export function createResponder(
  own: DeliveryOptions & ReportOptions,
  handle: (delivery: VerifiedDelivery, message: RawMessage) => Promise<DeliveryResult>,
): RawReceiver & ((request: Request) => Promise<Response>) {
  const read = createReader(own);
  const report = createReporter(own);

  const receive: RawReceiver["receive"] = async (message) => {
    const { outcome, retryIn } = await traceDelivery(async () => {
      const reading = await read(message);
      const result = "verified" in reading ? await handle(reading, message) : reading;
      report(result);
      return result;
    });
    return responseOf(outcome, retryIn);
  };
  return Object.assign(respondWith(receive), { receive });
}

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
