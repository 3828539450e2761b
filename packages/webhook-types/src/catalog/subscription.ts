import type { OpenEnum } from "@fieldmesh/core";
import type { DataOf, EventData, EventOf, OpenRecord, Resource } from "./envelope.ts";

/** `canceled` and `draft` are not in the published spec; running deployments use them. */
export type SubscriptionStatus = OpenEnum<
  | "active"
  | "paused"
  | "past_due"
  | "cancelled"
  | "canceled"
  | "terminated"
  | "pending_activation"
  | "draft"
>;

export interface Subscription extends Resource {
  status?: SubscriptionStatus | null | undefined;
}

export interface RemovedLine extends Subscription {
  reason: OpenEnum<"requested" | "scheduled" | "port_out"> | null;
}

export interface DepartingLine extends Subscription {
  /** When the member leaves: the end of the paid term. */
  departs_at: string;
}

export interface RenewingSubscription extends Subscription {
  /** Net amount, renewal date and card, and one entry per seat on a group. */
  subscription_renewal: OpenRecord;
}

export interface ScheduledChangeData extends EventData<Subscription> {
  scheduled_change: ScheduledChange;
}

export interface ScheduledChange extends OpenRecord {
  /** Why the change cannot be applied. */
  reason: string;
}

/** Subscription events, by type. */
export interface SubscriptionEvents {
  /**
   * Fires when a subscription is created (API or migration import; import events carry
   * `data.imported` true).
   */
  "subscription.created": EventOf<"subscription.created", Subscription>;
  /**
   * Fires on a status or pending-plan-change reconciliation with no dedicated event, such as a
   * scheduled downgrade set or cleared; and beside `subscription.line_added`.
   */
  "subscription.updated": EventOf<"subscription.updated", Subscription>;
  /** Fires when a plan change applies (upgrade at once, scheduled downgrade at renewal). */
  "subscription.plan_switched": EventOf<"subscription.plan_switched", Subscription>;
  /**
   * Fires when a member joins a group subscription; fires with `subscription.updated`, one per
   * line; names the line and member.
   */
  "subscription.line_added": EventOf<"subscription.line_added", Subscription>;
  /**
   * Fires when a member leaves a group subscription; one per line; reason is requested, scheduled,
   * port_out, or null.
   */
  "subscription.line_removed": EventOf<"subscription.line_removed", RemovedLine>;
  /** Fires when a departure is booked for the end of a paid term; carries `departs_at`. */
  "subscription.line.removal_scheduled": EventOf<
    "subscription.line.removal_scheduled",
    DepartingLine
  >;
  /** Fires when the payer cancels a booked departure; the member stays. */
  "subscription.line.removal_canceled": EventOf<"subscription.line.removal_canceled", Subscription>;
  /**
   * Fires when a booked change (a member downgrade, or one line of a whole-group billing-period
   * switch) cannot be applied at renewal and never will be; `data.scheduled_change.reason` says
   * why.
   */
  "subscription.scheduled_change_failed": DataOf<
    "subscription.scheduled_change_failed",
    ScheduledChangeData
  >;
  /** Fires when billing is put on hold: the subscription is paused, its SIMs keep working. */
  "subscription.paused": EventOf<"subscription.paused", Subscription>;
  /** Fires when billing restarts, and the subscription is active again. */
  "subscription.resumed": EventOf<"subscription.resumed", Subscription>;
  /** Fires when a subscription moves to cancelled. */
  "subscription.cancelled": EventOf<"subscription.cancelled", Subscription>;
  /** Fires when a subscription moves to terminated. */
  "subscription.terminated": EventOf<"subscription.terminated", Subscription>;
  /** Fires when payment is overdue. */
  "subscription.past_due": EventOf<"subscription.past_due", Subscription>;
  /** Fires when payment retries are exhausted and collection has stopped. */
  "subscription.unpaid": EventOf<"subscription.unpaid", Subscription>;
  /** Fires when a past_due subscription recovers to active after a successful payment. */
  "subscription.recovered": EventOf<"subscription.recovered", Subscription>;
  /** Fires when an add-on is attached. */
  "subscription.addon_added": EventOf<"subscription.addon_added", Subscription>;
  /** Fires when an add-on is removed. */
  "subscription.addon_removed": EventOf<"subscription.addon_removed", Subscription>;
  /** Fires when a time-bounded add-on reaches the end of its term. */
  "subscription.addon_expired": EventOf<"subscription.addon_expired", Subscription>;
  /**
   * Fires when a prepaid multi-month term (3, 6 or 12 months) is about to renew in one charge;
   * carries `subscription_renewal` (net amount, renewal date, card, one entry per seat on a
   * group); lead time set by operator settings `renewal_reminder_lead_days` and
   * `renewal_reminder_lead_days_annual`; monthly subscriptions never fire it (they get
   * `invoice.upcoming`).
   */
  "subscription.renewal_upcoming": EventOf<"subscription.renewal_upcoming", RenewingSubscription>;
}
