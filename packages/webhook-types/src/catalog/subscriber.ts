import type { OpenEnum } from "@fieldmesh/core";
import type { ChangeOf, DataOf, EventData, EventOf, OpenRecord, Resource } from "./envelope.ts";

export type LockedStatus = OpenEnum<"user_initiated_lock" | "unlocked">;

/** A subscriber as events show it: always without personal data. Read the rest from the API, as your role permits. */
export interface Subscriber extends Resource {
  email: null;
  phone: null;
  date_of_birth: null;
  pii_redacted: true;
  locked_status?: LockedStatus | null | undefined;
  payment_updates_blocked_until?: string | null | undefined;
  payment_updates_blocked_reason?: string | null | undefined;
}

/** A subscriber whose SIM-swap and port-out lock was just turned on or off. */
export interface SubscriberWithLock extends Subscriber {
  locked_status: LockedStatus;
}

/** A subscriber who cannot add a card for a while. */
export interface BlockedSubscriber extends Subscriber {
  payment_updates_blocked_until: string;
  payment_updates_blocked_reason: string;
}

/** Prior values of the fields that changed; contact fields are redacted. */
export interface SubscriberBefore extends OpenRecord {
  /** Redacted. The spec does not show in which form; so are the other two. */
  email?: unknown;
  phone?: unknown;
  date_of_birth?: unknown;
  locked_status?: LockedStatus | null | undefined;
  payment_updates_blocked_until?: string | null | undefined;
  payment_updates_blocked_reason?: string | null | undefined;
}

/** What an erasure names. The spec says that both are there, but not in which form or under which name. */
export interface RedactedData extends EventData<Subscriber> {
  scopes?: unknown;
  cleared_fields?: unknown;
}

/** A billing, shipping or e911 address. All of it is personal data. */
export interface Address extends Resource {}

/** Subscriber events, by type. */
export interface SubscriberEvents {
  /**
   * Fires when a subscriber is created through `POST /v1/subscribers` or by migration import
   * (import events carry `data.imported` true).
   */
  "subscriber.created": EventOf<"subscriber.created", Subscriber>;
  /** Fires when the SIM-swap/port-out protection lock turns on. */
  "subscriber.locked": EventOf<"subscriber.locked", SubscriberWithLock>;
  /** Fires when the lock turns off. */
  "subscriber.unlocked": EventOf<"subscriber.unlocked", SubscriberWithLock>;
  /**
   * Fires when any field of the record changes; `previous_attributes` holds prior values of
   * changed fields (contact fields redacted); no event for a change that alters nothing; lock and
   * payment-block changes also emit their own events.
   */
  "subscriber.updated": ChangeOf<"subscriber.updated", Subscriber, SubscriberBefore>;
  /** Fires when a subscriber with no billing history is deleted; carries the full snapshot. */
  "subscriber.deleted": EventOf<"subscriber.deleted", Subscriber>;
  /**
   * Fires when a right-to-erasure request was carried out; the record, invoices and payment
   * history remain; data names the scopes and cleared fields.
   */
  "subscriber.redacted": DataOf<"subscriber.redacted", RedactedData>;
  /**
   * Fires when the subscriber is barred for a period from adding a card after a decline that
   * looked fraudulent; carries `payment_updates_blocked_until` and
   * `payment_updates_blocked_reason`; fires again when the block is renewed with a fresh window.
   */
  "subscriber.payment_updates_blocked": EventOf<
    "subscriber.payment_updates_blocked",
    BlockedSubscriber
  >;
  /** Fires when the block is lifted before its window ends. */
  "subscriber.payment_updates_unblocked": EventOf<
    "subscriber.payment_updates_unblocked",
    Subscriber
  >;
}

/** Address events, by type. */
export interface AddressEvents {
  /**
   * Fires when a billing, shipping or e911 address is created or changed; an e911 change is
   * already accepted by the carrier.
   */
  "address.updated": EventOf<"address.updated", Address>;
}
