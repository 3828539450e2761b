import type { SubscriberEvents, AddressEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const subscriber = {
  id: "sub_01JD3Y7Q4W8TQ2",
  email: null,
  phone: null,
  date_of_birth: null,
  pii_redacted: true,
  locked_status: "unlocked",
  payment_updates_blocked_until: null,
  payment_updates_blocked_reason: null,
} as const;
const block = {
  payment_updates_blocked_until: "2026-11-27T08:30:00Z",
  payment_updates_blocked_reason: "suspected_card_testing",
};

export const subscriberSamples: Samples<SubscriberEvents> = {
  "subscriber.created": { object: subscriber, imported: true },
  "subscriber.locked": {
    object: { ...subscriber, locked_status: "user_initiated_lock" },
    previous_attributes: { locked_status: "unlocked" },
  },
  "subscriber.unlocked": {
    object: subscriber,
    previous_attributes: { locked_status: "user_initiated_lock" },
  },
  "subscriber.updated": {
    object: subscriber,
    previous_attributes: { locked_status: "user_initiated_lock", email: null },
  },
  "subscriber.deleted": { object: subscriber },
  "subscriber.redacted": { object: subscriber },
  "subscriber.payment_updates_blocked": { object: { ...subscriber, ...block } },
  "subscriber.payment_updates_unblocked": { object: subscriber, previous_attributes: block },
};

export const addressSamples: Samples<AddressEvents> = {
  "address.updated": { object: { id: "addr_01JD3Y8B5N" } },
};
