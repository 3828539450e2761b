import type { SubscriptionEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const subscription = { id: "subn_01JD3YB2F6", status: "active" };
const group = { ...subscription, id: "subn_01JD3YC9K1" };

export const subscriptionSamples: Samples<SubscriptionEvents> = {
  "subscription.created": { object: { ...subscription, status: "pending_activation" } },
  "subscription.updated": { object: subscription },
  "subscription.plan_switched": { object: subscription },
  "subscription.line_added": { object: group },
  "subscription.line_removed": { object: { ...group, reason: "port_out" } },
  "subscription.line.removal_scheduled": {
    object: { ...group, departs_at: "2026-12-20T00:00:00Z" },
  },
  "subscription.line.removal_canceled": { object: group },
  "subscription.scheduled_change_failed": {
    object: group,
    scheduled_change: { reason: "plan withdrawn" },
  },
  "subscription.paused": {
    object: { ...subscription, status: "paused" },
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
  "subscription.addon_added": { object: subscription },
  "subscription.addon_removed": { object: subscription },
  "subscription.addon_expired": { object: subscription },
  "subscription.renewal_upcoming": { object: { ...subscription, subscription_renewal: {} } },
};
