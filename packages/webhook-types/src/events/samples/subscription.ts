import type { SubscriptionEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const subscription = {
  id: "subn_01JD3YB2F6",
  subscriber_id: "sub_01JD3Y7Q4W8TQ2",
  plan_id: "plan_unlimited",
  status: "active",
};
const group = { ...subscription, id: "subn_01JD3YC9K1", plan_id: "plan_family" };
const line = { subscription_line_id: "line_01JD3YD4M7", member_subscriber_id: "sub_01JD3YE8R2" };
const addon = { addon_id: "addon_roaming_eu" };

export const subscriptionSamples: Samples<SubscriptionEvents> = {
  "subscription.created": { object: { ...subscription, status: "pending_activation" } },
  "subscription.updated": {
    object: { ...subscription, pending_plan_id: "plan_basic" },
    previous_attributes: { pending_plan_id: null },
  },
  "subscription.plan_switched": {
    object: { ...subscription, plan_id: "plan_basic" },
    previous_attributes: { plan_id: "plan_unlimited" },
  },
  "subscription.line_added": { object: { ...group, ...line } },
  "subscription.line_removed": { object: { ...group, ...line, reason: "port_out" } },
  "subscription.line.removal_scheduled": {
    object: { ...group, ...line, departs_at: "2026-12-20T00:00:00Z" },
  },
  "subscription.line.removal_canceled": { object: { ...group, ...line } },
  "subscription.scheduled_change_failed": {
    object: group,
    scheduled_change: { ...line, reason: "plan_withdrawn" },
  },
  "subscription.paused": {
    object: { ...subscription, status: "paused", collection_pause: { behavior: "void" } },
    previous_attributes: { status: "active" },
  },
  "subscription.resumed": { object: subscription, previous_attributes: { status: "paused" } },
  "subscription.cancelled": {
    object: { ...subscription, status: "cancelled" },
    previous_attributes: { status: "active" },
  },
  "subscription.terminated": {
    object: { ...subscription, status: "terminated" },
    previous_attributes: { status: "active" },
  },
  "subscription.past_due": {
    object: { ...subscription, status: "past_due" },
    previous_attributes: { status: "active" },
  },
  "subscription.unpaid": { object: { ...subscription, status: "past_due" } },
  "subscription.recovered": { object: subscription, previous_attributes: { status: "past_due" } },
  "subscription.addon_added": { object: { ...subscription, ...addon } },
  "subscription.addon_removed": { object: { ...subscription, ...addon } },
  "subscription.addon_expired": { object: { ...subscription, ...addon } },
  "subscription.renewal_upcoming": {
    object: {
      ...subscription,
      subscription_renewal: {
        net_amount_cents: 16_200,
        renews_at: "2026-12-04T00:00:00Z",
        card: { brand: "visa", last4: "4242" },
        seats: [],
      },
    },
  },
};
