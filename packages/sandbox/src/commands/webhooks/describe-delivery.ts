import type { DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import { printable } from "./printable.ts";

/** A delivery as `--json` prints it: in the names and times of the service. */
export function deliveryFacts({ nextAttemptAt, attempts, ...facts }: DeliveryRecord) {
  return {
    ...facts,
    attempts: attempts.map((attempt) => ({ ...attempt, at: timeOf(attempt.at) })),
    next_attempt_at: timeOf(nextAttemptAt),
  };
}

/** `null` where there is none, or another program responded. */
function timeOf(milliseconds: number | undefined): string | null {
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** One line about a delivery: its id, its endpoint, its status, and the last response. */
export function describeDelivery({ id, endpoint_id, status, attempts }: DeliveryRecord): string {
  const [last] = attempts.slice(-1);
  return printable(
    `${id}  ${endpoint_id}  ${status}  ${last?.status ?? last?.outcome ?? "not sent yet"}`,
  );
}
