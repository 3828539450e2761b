import type { DeliveryRecord } from "../../engine/webhooks/delivery.ts";

/** Returns a delivery as `--json` prints it, with the field names and times of the service. */
export function deliveryRecord({ nextAttemptAt, attempts, ...record }: DeliveryRecord) {
  return {
    ...record,
    attempts: attempts.map((attempt) => ({ ...attempt, at: timeOf(attempt.at) })),
    next_attempt_at: timeOf(nextAttemptAt),
  };
}

/** Returns `null` without a time, or if another program responded. */
function timeOf(milliseconds: number | undefined): string | null {
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Describes a delivery in one line: its id, endpoint, status and last response. */
export function describeDelivery({ id, endpoint_id, status, attempts }: DeliveryRecord): string {
  const [last] = attempts.slice(-1);
  return printable(
    `${id}  ${endpoint_id}  ${status}  ${last?.status ?? last?.outcome ?? "not sent yet"}`,
  );
}

/** Removes control characters, which a terminal would obey, and shortens the string. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "").slice(0, 300);
}
