import * as z from "@fieldmesh/core/internal/zod";
import {
  changeData,
  eventData,
  guess,
  maybeString,
  open,
  openEnum,
  resource,
  sensitive,
  shared,
} from "../fields.ts";
import { carries, fits, isRedacted, says, stating } from "../statements.ts";

/** Events never contain personal data of a subscriber. If a deployment breaks this rule, the data is hidden in logs. */
const hidden = () => sensitive("personal", z.null());
const redacted = () => guess(z.optional(sensitive("personal", z.unknown())));

/** Whether the SIM-swap and port-out lock is on. */
export const LockedStatus = () => openEnum("user_initiated_lock", "unlocked");

/** A subscriber in an event, always without personal data. Read that from the API, if your role permits it. */
export const Subscriber = shared(() =>
  resource({
    /** Always `null` in events. */
    email: hidden(),
    /** Always `null` in events. */
    phone: hidden(),
    /** Always `null` in events. */
    date_of_birth: hidden(),
    /** Always `true` in events. */
    pii_redacted: z.literal(true),
    /** The lock against SIM swaps and port-outs: `user_initiated_lock` means on, `unlocked` means off. */
    locked_status: guess(z.nullish(LockedStatus())),
    /** The end of the block: until then, the subscriber cannot add a card. */
    payment_updates_blocked_until: maybeString(),
    /** Why the subscriber cannot add a card. Hidden in logs. */
    payment_updates_blocked_reason: guess(z.nullish(sensitive("personal", z.string()))),
  }),
);

/** A subscriber whose SIM-swap and port-out lock was just turned on or off. */
export const SubscriberWithLock = shared(() =>
  z.extend(Subscriber(), {
    /** `user_initiated_lock` when the lock is on, `unlocked` when it is off. */
    locked_status: LockedStatus(),
  }),
);

const block = () => ({
  /**
   * The end of the block: until then, the subscriber cannot add a card. The spec does not say whether it is in `data` or in
   * `data.object`: `fieldOf(event, "payment_updates_blocked_until")` looks in both.
   */
  payment_updates_blocked_until: maybeString(),
  /**
   * Why the subscriber cannot add a card. Hidden in logs. `fieldOf(event, "payment_updates_blocked_reason")` looks in both
   * places.
   */
  payment_updates_blocked_reason: guess(z.nullish(sensitive("personal", z.string()))),
});

/** A subscriber who cannot add a card for a while. */
export const BlockedSubscriber = () => z.extend(Subscriber(), { ...block() });

/** The data of `subscriber.payment_updates_blocked`. */
export const BlockedSubscriberData = () => z.extend(eventData(BlockedSubscriber()), { ...block() });

/** The previous values of the fields that changed; contact fields are redacted. */
export const SubscriberBefore = () =>
  open({
    /** Redacted, as are `phone` and `date_of_birth`. The spec does not show what a redacted value looks like. */
    email: redacted(),
    /** Redacted. */
    phone: redacted(),
    /** Redacted. */
    date_of_birth: redacted(),
    /** The previous state of the lock. */
    locked_status: guess(z.nullish(LockedStatus())),
    /** The previous end of the block. */
    payment_updates_blocked_until: maybeString(),
    /** The previous reason for the block. Hidden in logs. */
    payment_updates_blocked_reason: guess(z.nullish(sensitive("personal", z.string()))),
  });

/** The data of an erasure. The spec says that both fields are present, but states neither name nor form. */
export const RedactedData = () =>
  z.extend(eventData(Subscriber()), {
    /** The scopes of the erasure. The spec neither names this field nor shows its form. */
    scopes: guess(z.optional(z.unknown())),
    /** The fields that were cleared. The spec neither names this field nor shows its form. */
    cleared_fields: guess(z.optional(z.unknown())),
  });

/** A billing, shipping or e911 address. All of it is personal data. */
export const Address = () => sensitive("personal", resource({}));

const subscriberWith = (lock: string) =>
  stating(eventData(SubscriberWithLock()), says("object.locked_status", [lock], "unless-strict"));

/** Subscriber events, by type. These events never contain personal data: `email`, `phone` and `date_of_birth` are `null`. */
export const SubscriberEvents = {
  /**
   * Fires when a subscriber is created through `POST /v1/subscribers` or by a migration import. For an import,
   * `data.imported` is `true`.
   */
  "subscriber.created": () => eventData(Subscriber()),
  /** Fires when the lock against SIM swaps and port-outs is turned on. */
  "subscriber.locked": () => subscriberWith("user_initiated_lock"),
  /** Fires when the lock against SIM swaps and port-outs is turned off. */
  "subscriber.unlocked": () => subscriberWith("unlocked"),
  /**
   * Fires when any field of the record changes. A request that changes nothing emits no event. Changes to the lock and to
   * the payment block also emit their own events.
   *
   * `previous_attributes` holds the previous values of the fields that changed. Its contact fields are redacted.
   */
  "subscriber.updated": () =>
    stating(
      changeData(Subscriber(), SubscriberBefore()),
      ...["email", "phone", "date_of_birth"].map((name) =>
        fits(`previous_attributes.${name}`, "a redacted value", isRedacted),
      ),
    ),
  /** Fires when a subscriber without billing history is deleted. The event carries the full snapshot. */
  "subscriber.deleted": () => eventData(Subscriber()),
  /**
   * Fires when a right-to-erasure request has been carried out. The record, the invoices and the payment history remain. The
   * data names the scopes and the cleared fields.
   */
  "subscriber.redacted": () => RedactedData(),
  /**
   * Fires when a subscriber is blocked from adding a card for a period, after a decline that looked fraudulent. It fires
   * again when the block is renewed for another period.
   *
   * The event carries `payment_updates_blocked_until` and `payment_updates_blocked_reason`.
   */
  "subscriber.payment_updates_blocked": () =>
    stating(
      BlockedSubscriberData(),
      carries("payment_updates_blocked_until", "payment_updates_blocked_reason"),
    ),
  /** Fires when the block on adding a card is lifted before it ends. */
  "subscriber.payment_updates_unblocked": () => eventData(Subscriber()),
};

/** Address events, by type. */
export const AddressEvents = {
  /**
   * Fires when a billing, shipping or e911 address is created or changed. If an e911 address changed, the carrier has
   * already accepted the change.
   */
  "address.updated": () => eventData(Address()),
};
