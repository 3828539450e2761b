import * as z from "zod/mini";
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
  someString,
} from "../fields.ts";

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
    /** The SIM-swap and port-out lock: `user_initiated_lock` is on. */
    locked_status: guess(z.nullish(LockedStatus())),
    /** Until when the subscriber cannot add a card. */
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

/** A subscriber who cannot add a card for a while. */
export const BlockedSubscriber = () =>
  z.extend(Subscriber(), {
    /** Until when the subscriber cannot add a card. */
    payment_updates_blocked_until: someString(),
    /** Why the subscriber cannot add a card. Hidden in logs. */
    payment_updates_blocked_reason: guess(sensitive("personal", z.string())),
  });

/** Prior values of the fields that changed; contact fields are redacted. */
export const SubscriberBefore = () =>
  open({
    /** Redacted, like the next two. The spec does not show the form. */
    email: redacted(),
    /** Redacted. */
    phone: redacted(),
    /** Redacted. */
    date_of_birth: redacted(),
    /** The lock before. */
    locked_status: guess(z.nullish(LockedStatus())),
    /** The end of the block before. */
    payment_updates_blocked_until: maybeString(),
    /** The reason of the block before. Hidden in logs. */
    payment_updates_blocked_reason: guess(z.nullish(sensitive("personal", z.string()))),
  });

/** The data of an erasure. The spec says that both fields are present, but states neither name nor form. */
export const RedactedData = () =>
  z.extend(eventData(Subscriber()), {
    /** What was erased. The spec shows neither name nor form. */
    scopes: guess(z.optional(z.unknown())),
    /** The fields that were cleared. The spec shows neither name nor form. */
    cleared_fields: guess(z.optional(z.unknown())),
  });

/** A billing, shipping or e911 address. All of it is personal data. */
export const Address = () => sensitive("personal", resource({}));

/** Subscriber events, by type. */
export const SubscriberEvents = {
  /**
   * Fires when a subscriber is created through `POST /v1/subscribers` or by migration import
   * (import events carry `data.imported` true).
   */
  "subscriber.created": () => eventData(Subscriber()),
  /** Fires when the SIM-swap/port-out protection lock turns on. */
  "subscriber.locked": () => eventData(SubscriberWithLock()),
  /** Fires when the lock turns off. */
  "subscriber.unlocked": () => eventData(SubscriberWithLock()),
  /**
   * Fires when any field of the record changes; `previous_attributes` holds prior values of
   * changed fields (contact fields redacted); no event for a change that alters nothing; lock and
   * payment-block changes also emit their own events.
   */
  "subscriber.updated": () => changeData(Subscriber(), SubscriberBefore()),
  /** Fires when a subscriber with no billing history is deleted; carries the full snapshot. */
  "subscriber.deleted": () => eventData(Subscriber()),
  /**
   * Fires when a right-to-erasure request was carried out; the record, invoices and payment
   * history remain; data names the scopes and cleared fields.
   */
  "subscriber.redacted": () => RedactedData(),
  /**
   * Fires when the subscriber is barred for a period from adding a card after a decline that
   * looked fraudulent; carries `payment_updates_blocked_until` and
   * `payment_updates_blocked_reason`; fires again when the block is renewed with a fresh window.
   */
  "subscriber.payment_updates_blocked": () => eventData(BlockedSubscriber()),
  /** Fires when the block is lifted before its window ends. */
  "subscriber.payment_updates_unblocked": () => eventData(Subscriber()),
};

/** Address events, by type. */
export const AddressEvents = {
  /**
   * Fires when a billing, shipping or e911 address is created or changed; an e911 change is
   * already accepted by the carrier.
   */
  "address.updated": () => eventData(Address()),
};
