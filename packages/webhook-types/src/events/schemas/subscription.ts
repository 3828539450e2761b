import * as z from "zod/mini";
import {
  eventData,
  guess,
  maybeString,
  open,
  openEnum,
  resource,
  sensitive,
  shared,
} from "../fields.ts";

/** `canceled` and `draft` are also in use (observed). */
export const SubscriptionStatus = () =>
  openEnum(
    "active",
    "paused",
    "past_due",
    "cancelled",
    "canceled",
    "terminated",
    "pending_activation",
    "draft",
  );

/** A subscription. */
export const Subscription = shared(() =>
  resource({
    /** The status of the subscription. The service may add values. */
    status: guess(z.nullish(SubscriptionStatus())),
  }),
);

const removal = () => ({
  /** Why the member leaves. The spec does not say where it is: `fieldOf(event, "reason")` looks in both places. */
  reason: guess(z.nullish(openEnum("requested", "scheduled", "port_out"))),
});

/** A group subscription that a member left. */
export const RemovedLine = () => z.extend(Subscription(), { ...removal() });

/** The data of a member that was removed from a group. */
export const RemovedLineData = () => z.extend(eventData(guess(RemovedLine())), { ...removal() });

const departure = () => ({
  /**
   * When the member leaves: the end of the paid term. The spec does not say where it is: `fieldOf(event, "departs_at")`
   * looks in both places.
   */
  departs_at: maybeString(),
});

/** A group subscription that a member will leave. */
export const DepartingLine = () => z.extend(Subscription(), { ...departure() });

/** The data of a member that will leave a group. */
export const DepartingLineData = () =>
  z.extend(eventData(guess(DepartingLine())), { ...departure() });

const renewal = () => ({
  /**
   * Net amount, renewal date and card, and one entry per seat on a group. The spec does not say where it is:
   * `fieldOf(event, "subscription_renewal")` looks in both places.
   */
  subscription_renewal: guess(z.nullish(open({}))),
});

/** A subscription that is about to renew. */
export const RenewingSubscription = () => z.extend(Subscription(), { ...renewal() });

/** The data of a subscription that renews soon. */
export const RenewingSubscriptionData = () =>
  z.extend(eventData(guess(RenewingSubscription())), { ...renewal() });

/** A booked change that failed. */
export const ScheduledChange = () =>
  open({
    /** Why the change cannot be applied. */
    reason: guess(sensitive("personal", z.string())),
  });

/** The data of a scheduled change that could not be applied. */
export const ScheduledChangeData = () =>
  z.extend(eventData(Subscription()), {
    /** The change that could not be applied. */
    scheduled_change: ScheduledChange(),
  });

/** Subscription events, by type. */
export const SubscriptionEvents = {
  /**
   * Fires when a subscription is created (API or migration import; import events carry
   * `data.imported` true).
   *
   * An earlier catalog of the service reserves it and does not emit it.
   */
  "subscription.created": () => eventData(Subscription()),
  /**
   * Fires on a status or pending-plan-change reconciliation with no dedicated event, such as a
   * scheduled downgrade set or cleared; and beside `subscription.line_added`.
   */
  "subscription.updated": () => eventData(Subscription()),
  /** Fires when a plan change applies (upgrade at once, scheduled downgrade at renewal). */
  "subscription.plan_switched": () => eventData(Subscription()),
  /**
   * Fires when a member joins a group subscription; fires with `subscription.updated`, one per
   * line; names the line and member.
   */
  "subscription.line_added": () => eventData(Subscription()),
  /**
   * Fires when a member leaves a group subscription; one per line; reason is requested, scheduled,
   * port_out, or null.
   */
  "subscription.line_removed": () => RemovedLineData(),
  /** Fires when a departure is booked for the end of a paid term; carries `departs_at`. */
  "subscription.line.removal_scheduled": () => DepartingLineData(),
  /** Fires when the payer cancels a booked departure; the member stays. */
  "subscription.line.removal_canceled": () => eventData(Subscription()),
  /**
   * Fires when a booked change (a member downgrade, or one line of a whole-group billing-period
   * switch) cannot be applied at renewal and never will be; `data.scheduled_change.reason` says
   * why.
   */
  "subscription.scheduled_change_failed": () => ScheduledChangeData(),
  /**
   * Fires when billing is put on hold: the subscription is paused, and its SIMs keep working. A void collection pause
   * appears on the object; the spec does not name its field.
   */
  "subscription.paused": () => eventData(Subscription()),
  /** Fires when billing restarts: the subscription is active again, and its collection pause is cleared. */
  "subscription.resumed": () => eventData(Subscription()),
  /** Fires when a subscription moves to cancelled. */
  "subscription.cancelled": () => eventData(Subscription()),
  /**
   * Fires when a subscription moves to terminated.
   *
   * An earlier catalog of the service reserves it: nothing triggers it there.
   */
  "subscription.terminated": () => eventData(Subscription()),
  /** Fires when payment is overdue. */
  "subscription.past_due": () => eventData(Subscription()),
  /** Fires when payment retries are exhausted and collection has stopped; the status does not change. */
  "subscription.unpaid": () => eventData(Subscription()),
  /** Fires when a past_due subscription recovers to active after a successful payment. */
  "subscription.recovered": () => eventData(Subscription()),
  /** Fires when an add-on is attached. */
  "subscription.addon_added": () => eventData(Subscription()),
  /** Fires when an add-on is removed. */
  "subscription.addon_removed": () => eventData(Subscription()),
  /** Fires when a time-bounded add-on reaches the end of its term. */
  "subscription.addon_expired": () => eventData(Subscription()),
  /**
   * Fires when a prepaid multi-month term (3, 6 or 12 months) is about to renew in one charge;
   * carries `subscription_renewal` (net amount, renewal date, card, one entry per seat on a
   * group); lead time set by operator settings `renewal_reminder_lead_days` and
   * `renewal_reminder_lead_days_annual`; monthly subscriptions never fire it (they get
   * `invoice.upcoming`).
   */
  "subscription.renewal_upcoming": () => RenewingSubscriptionData(),
};
