import type { DeliveryOutcome } from "../../packages/webhook-types/src/receiver/responses.ts";

// A new outcome does not compile until it is listed here.
export const everyOutcome: Record<DeliveryOutcome, true> = {
  handled: true,
  duplicate: true,
  superseded: true,
  set_aside: true,
  not_set_aside: true,
  in_progress: true,
  failed: true,
  lease_lost: true,
  store_failed: true,
  stored: true,
  queue_failed: true,
  too_old: true,
  not_post: true,
  too_large: true,
  unreadable: true,
  incomplete: true,
  not_verified: true,
  not_parsed: true,
  wrong_livemode: true,
};
