import type { EventOutcome } from "./event-outcome.ts";
import type { ReceiverResponse } from "../adapters/raw-message.ts";

/** The outcome of a delivery: the outcome of its event, whether it was stored in a queue, or why there was no event. */
export type DeliveryOutcome =
  | EventOutcome["outcome"]
  | "not_post"
  | "too_large"
  | "stored"
  | "queue_failed"
  | "too_old"
  | "unreadable"
  | "incomplete"
  | "not_verified"
  | "not_parsed"
  | "wrong_livemode";

/** The table in the guide: the status of the response for every outcome. The sender retries after anything but 2xx. */
export const STATUS: Readonly<Record<DeliveryOutcome, number>> = {
  handled: 200,
  duplicate: 200,
  superseded: 200,
  set_aside: 200,
  stored: 200,
  in_progress: 503,
  failed: 500,
  not_set_aside: 500,
  lease_lost: 503,
  store_failed: 503,
  queue_failed: 503,
  too_old: 400,
  not_post: 405,
  too_large: 413,
  unreadable: 500,
  incomplete: 400,
  not_verified: 401,
  not_parsed: 400,
  wrong_livemode: 400,
};

/** The time that a store may need to recover. A sender that ignores Retry-After waits longer. */
const RETRY_IN = 30_000;
const TEXT = { "content-type": "text/plain; charset=utf-8" };

export function responseOf(outcome: DeliveryOutcome, retryIn = RETRY_IN): ReceiverResponse {
  const status = STATUS[outcome];
  return {
    status,
    headers: {
      ...TEXT,
      // All outcomes are ASCII.
      "content-length": String(outcome.length),
      ...(status === 503 && { "retry-after": String(Math.max(1, Math.ceil(retryIn / 1_000))) }),
      ...(status === 405 && { allow: "POST" }),
      // The rest of the body is not read, so the connection cannot be reused.
      ...((outcome === "too_large" || outcome === "incomplete") && { connection: "close" }),
    },
    body: outcome,
  };
}
