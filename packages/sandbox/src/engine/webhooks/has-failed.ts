// The page uses it too, so it imports only a type.
import type { DeliveryRecord } from "./delivery-record.ts";

/** Returns the word for a delivery: its status, or `retrying` if it waits after an attempt that was not accepted. */
export function stateOf({
  status,
  attempts,
}: Pick<DeliveryRecord, "status" | "attempts">): DeliveryRecord["status"] | "retrying" {
  return status === "pending" && attempts.length > 0 ? "retrying" : status;
}

/** Tells whether a delivery is dead or retrying. */
export function hasFailed(delivery: DeliveryRecord): boolean {
  return ["dead", "retrying"].includes(stateOf(delivery));
}
