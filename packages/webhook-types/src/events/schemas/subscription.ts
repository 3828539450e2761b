import * as z from "@fieldmesh/core/internal/zod";
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
import { carries, carriesOrNull, says, stating } from "../statements.ts";

/** The status of a subscription. `canceled` and `draft` are also in use (observed). */
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
    /** The status of the subscription. The service may add values: `canceled` and `draft` are in use (observed). */
    status: guess(z.nullish(SubscriptionStatus())),
  }),
);

const removal = () => ({
  /**
   * Why the member leaves. The spec does not say whether it is in `data` or in `data.object`: `fieldOf(event, "reason")`
   * looks in both.
   */
  reason: guess(z.nullish(openEnum("requested", "scheduled", "port_out"))),
});

/** A group subscription that a member left. */
export const RemovedLine = () => z.extend(Subscription(), { ...removal() });

/** The data of a member that was removed from a group. */
export const RemovedLineData = () => z.extend(eventData(guess(RemovedLine())), { ...removal() });

const departure = () => ({
  /**
   * When the member leaves: the end of the paid term. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "departs_at")` looks in both.
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
   * Net amount, renewal date and card, and one entry per seat on a group. The spec does not say whether it is in `data` or
   * in `data.object`: `fieldOf(event, "subscription_renewal")` looks in both.
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

const subscriptionThatIs = (...statuses: readonly string[]) =>
  stating(eventData(Subscription()), says("object.status", statuses));
const REASONS = ["requested", "scheduled", "port_out"];

/** Subscription events, by type. */
export const SubscriptionEvents = {
  /**
   * Fires when a subscription is created through the API or by a migration import. For an import, `data.imported` is `true`.
   *
   * An earlier catalog reserves this type and does not emit it.
   */
  "subscription.created": () => eventData(Subscription()),
  /**
   * Fires when a status or a pending plan change is reconciled and no other event reports it, such as when a scheduled
   * downgrade is set or cleared. It also fires together with `subscription.line_added`.
   */
  "subscription.updated": () => eventData(Subscription()),
  /** Fires when a plan change applies: an upgrade at once, a scheduled downgrade at renewal. */
  "subscription.plan_switched": () => eventData(Subscription()),
  /**
   * Fires when a member joins a group subscription, once for each line and together with `subscription.updated`. The event
   * names the line and the member.
   */
  "subscription.line_added": () => eventData(Subscription()),
  /**
   * Fires when a member leaves a group subscription, once for each line. The reason is `requested`, `scheduled`, `port_out`
   * or `null`.
   */
  "subscription.line_removed": () =>
    stating(
      RemovedLineData(),
      carriesOrNull("reason"),
      says("object.reason", REASONS),
      says("reason", REASONS),
    ),
  /** Fires when a member is scheduled to leave at the end of a paid term. The event carries `departs_at`. */
  "subscription.line.removal_scheduled": () => stating(DepartingLineData(), carries("departs_at")),
  /** Fires when the payer cancels the scheduled removal of a member. The member stays. */
  "subscription.line.removal_canceled": () => eventData(Subscription()),
  /**
   * Fires when a scheduled change cannot be applied at renewal and never will be. The change is the downgrade of a
   * member, or the switch of one line to another billing period when the whole group switches.
   *
   * `data.scheduled_change.reason` says why.
   */
  "subscription.scheduled_change_failed": () => ScheduledChangeData(),
  /**
   * Fires when billing is put on hold. The subscription is paused, and its SIMs keep working.
   *
   * A void collection pause appears on the object. The spec does not name its field.
   */
  "subscription.paused": () => subscriptionThatIs("paused"),
  /** Fires when billing restarts. The subscription is active again, and its collection pause is cleared. */
  "subscription.resumed": () =>
    stating(subscriptionThatIs("active"), says("previous_attributes.status", ["paused"])),
  /** Fires when the status of a subscription becomes `cancelled`. */
  "subscription.cancelled": () => subscriptionThatIs("cancelled", "canceled"),
  /**
   * Fires when the status of a subscription becomes `terminated`.
   *
   * An earlier catalog reserves this type: nothing triggers it there.
   */
  "subscription.terminated": () => subscriptionThatIs("terminated"),
  /** Fires when a payment is overdue. */
  "subscription.past_due": () => subscriptionThatIs("past_due"),
  /** Fires when payment retries are exhausted and collection has stopped. The status does not change. */
  "subscription.unpaid": () => subscriptionThatIs("past_due"),
  /** Fires when a `past_due` subscription becomes active again after a successful payment. */
  "subscription.recovered": () =>
    stating(subscriptionThatIs("active"), says("previous_attributes.status", ["past_due"])),
  /** Fires when an add-on is attached to a subscription. */
  "subscription.addon_added": () => eventData(Subscription()),
  /** Fires when an add-on is removed from a subscription. */
  "subscription.addon_removed": () => eventData(Subscription()),
  /** Fires when an add-on with a limited term reaches the end of its term. */
  "subscription.addon_expired": () => eventData(Subscription()),
  /**
   * Fires when a prepaid term of 3, 6 or 12 months is about to renew in one charge. Monthly subscriptions never emit it:
   * they emit `invoice.upcoming`.
   *
   * The operator settings `renewal_reminder_lead_days` and `renewal_reminder_lead_days_annual` set how long before the
   * renewal it fires. The event carries `subscription_renewal`: the net amount, the renewal date, the card, and one entry
   * for each seat of a group.
   */
  "subscription.renewal_upcoming": () =>
    stating(RenewingSubscriptionData(), carries("subscription_renewal")),
};
