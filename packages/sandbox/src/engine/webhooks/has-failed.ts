// The page uses it too, so it imports only a type.
import type { DeliveryRecord } from "./delivery-record.ts";

/** Tells whether a delivery is dead, or waits after an attempt that was not accepted. */
export function hasFailed({ status, attempts }: DeliveryRecord): boolean {
  return status === "dead" || (status === "pending" && attempts.length > 0);
}
