import type { EventOutcome } from "./handle-event.ts";
import type { ReceiverAnswer } from "../adapters/raw-message.ts";

/** What became of a delivery: that of its event, or why there was no event. */
export type DeliveryOutcome =
  | EventOutcome["outcome"]
  | "not_post"
  | "too_large"
  | "unreadable"
  | "not_verified"
  | "not_parsed"
  | "wrong_livemode";

/** The table of the guide: every outcome, and what is answered. The sender takes 2xx for done and sends all else again. */
const STATUS: Readonly<Record<DeliveryOutcome, number>> = {
  handled: 200,
  duplicate: 200,
  superseded: 200,
  in_progress: 503,
  failed: 500,
  lease_lost: 503,
  store_failed: 503,
  not_post: 405,
  too_large: 413,
  unreadable: 500,
  not_verified: 401,
  not_parsed: 400,
  wrong_livemode: 400,
};

/** How long a store may need to come back; a sender that does not know Retry-After waits for longer. */
const RETRY_IN = 30_000;
const TEXT = { "content-type": "text/plain; charset=utf-8" };
/** Made once: an answer is the same for every event. */
const answers = new Map<DeliveryOutcome, ReceiverAnswer>();

export function answerOf(outcome: DeliveryOutcome, retryIn = RETRY_IN): ReceiverAnswer {
  if (outcome === "in_progress") return make(outcome, retryIn);
  let answer = answers.get(outcome);
  if (answer === undefined) answers.set(outcome, (answer = make(outcome, retryIn)));
  return answer;
}

function make(outcome: DeliveryOutcome, retryIn: number): ReceiverAnswer {
  const status = STATUS[outcome];
  return {
    status,
    headers: {
      ...TEXT,
      // All words are ASCII.
      "content-length": String(outcome.length),
      ...(status === 503 && { "retry-after": String(Math.max(1, Math.ceil(retryIn / 1_000))) }),
      ...(status === 405 && { allow: "POST" }),
      // The rest of the body is not read, so the connection is of no use any more.
      ...(status === 413 && { connection: "close" }),
    },
    body: outcome,
  };
}
