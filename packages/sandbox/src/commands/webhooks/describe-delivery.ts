import type { DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import { printable } from "./printable.ts";

/** One line about a delivery: its id, its endpoint, its status, and the last response. */
export function describeDelivery({ id, endpoint_id, status, attempts }: DeliveryRecord): string {
  const [last] = attempts.slice(-1);
  return printable(
    `${id}  ${endpoint_id}  ${status}  ${last?.status ?? last?.outcome ?? "not sent yet"}`,
  );
}
