import * as z from "zod/mini";
import type { SubscriptionEvents } from "../../catalog/subscription.ts";
import { once, data, open, openEnum, resource, type Rows } from "./fields.ts";

/** `canceled` and `draft` are not in the published spec; running deployments use them. */
export const subscriptionStatus = () =>
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

const subscriptionFields = () => ({ status: z.nullish(subscriptionStatus()) });
const subscription = once(() => resource(subscriptionFields()));
const removedLine = () =>
  resource({
    ...subscriptionFields(),
    reason: z.nullable(openEnum("requested", "scheduled", "port_out")),
  });
const departingLine = () => resource({ ...subscriptionFields(), departs_at: z.string() });
const renewingSubscription = () =>
  resource({ ...subscriptionFields(), subscription_renewal: open({}) });
const scheduledChangeData = () =>
  z.extend(data(subscription()), { scheduled_change: open({ reason: z.string() }) });

export const subscriptionRows = {
  "subscription.created": () => data(subscription()),
  "subscription.updated": () => data(subscription()),
  "subscription.plan_switched": () => data(subscription()),
  "subscription.line_added": () => data(subscription()),
  "subscription.line_removed": () => data(removedLine()),
  "subscription.line.removal_scheduled": () => data(departingLine()),
  "subscription.line.removal_canceled": () => data(subscription()),
  "subscription.scheduled_change_failed": scheduledChangeData,
  "subscription.paused": () => data(subscription()),
  "subscription.resumed": () => data(subscription()),
  "subscription.cancelled": () => data(subscription()),
  "subscription.terminated": () => data(subscription()),
  "subscription.past_due": () => data(subscription()),
  "subscription.unpaid": () => data(subscription()),
  "subscription.recovered": () => data(subscription()),
  "subscription.addon_added": () => data(subscription()),
  "subscription.addon_removed": () => data(subscription()),
  "subscription.addon_expired": () => data(subscription()),
  "subscription.renewal_upcoming": () => data(renewingSubscription()),
} satisfies Rows<SubscriptionEvents>;
