import type { DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import { stateOf } from "../../engine/webhooks/has-failed.ts";

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

/** Describes a delivery in one line: its id, endpoint, state and last response, its attempts and the next one. */
export function describeDelivery(delivery: DeliveryRecord): string {
  const { id, endpoint_id, attempts, nextAttemptAt } = delivery;
  const [last] = attempts.slice(-1);
  const response = last?.status ?? last?.outcome ?? "not sent yet";
  const next = timeOf(nextAttemptAt);
  const more = [
    ...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
    ...(next === null ? [] : [`next at ${next}`]),
  ];
  return printable([id, endpoint_id, stateOf(delivery), response, ...more].join("  "));
}

/** Removes control characters, which a terminal would obey, and shortens the string. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "").slice(0, 300);
}
