import type { RawMessage, RawReceiver } from "../adapters/raw-message.ts";
import { respondWith } from "../adapters/web.ts";
import { createReader, type VerifiedDelivery } from "./read-delivery.ts";
import type { DeliveryOptions, ReportOptions } from "./receiver-options.ts";
import { createReporter, type DeliveryResult } from "./report-delivery.ts";
import { responseOf } from "./responses.ts";
import { traceDelivery } from "./trace-delivery.ts";

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
