import type { EventEnvelope, UnknownEvent } from "./envelope.js";
import type { EventType, WebhookEvent } from "./event-map.js";

/** The types of the current catalog. `GET /v1/reference/event_types` lists those of your deployment: `checkCatalog`. */
export const currentEventTypes: readonly CurrentEventType[] = [
  "subscriber.created",
  "subscriber.locked",
  "subscriber.unlocked",
  "subscriber.updated",
  "subscriber.deleted",
  "subscriber.redacted",
  "subscriber.payment_updates_blocked",
  "subscriber.payment_updates_unblocked",
  "address.updated",
  "subscription.created",
  "subscription.updated",
  "subscription.plan_switched",
  "subscription.line_added",
  "subscription.line_removed",
  "subscription.line.removal_scheduled",
  "subscription.line.removal_canceled",
  "subscription.scheduled_change_failed",
  "subscription.paused",
  "subscription.resumed",
  "subscription.cancelled",
  "subscription.terminated",
  "subscription.past_due",
  "subscription.unpaid",
  "subscription.recovered",
  "subscription.addon_added",
  "subscription.addon_removed",
  "subscription.addon_expired",
  "subscription.renewal_upcoming",
  "sim.provisioned",
  "sim.imported",
  "sim.activation_started",
  "sim.activated",
  "sim.activation_failed",
  "sim.activation_resolution_required",
  "sim.suspended",
  "sim.restored",
  "sim.deactivated",
  "sim.cleared",
  "sim.linked",
  "sim.synced",
  "sim.swapped",
  "sim.reassigned",
  "sim.products_updated",
  "sim.scam_block_changed",
  "sim.video_quality_changed",
  "sim.wps_changed",
  "sim.msisdn_changed",
  "sim.boosted",
  "sim.boost_expired",
  "sim.boost_reduced",
  "sim.esim_profile_downloaded",
  "sim.throttled",
  "sim.throttle_cleared",
  "sim.port_out_pin_generated",
  "sim.port_out_pin_cleared",
  "sim_inventory.imported",
  "sim_inventory.claimed",
  "sim_inventory.released",
  "sim_inventory.quarantined",
  "sim_inventory.low_stock",
  "port.created",
  "port.submitted",
  "port.in_progress",
  "port.resolution_required",
  "port.resolution_expiring",
  "port.completed",
  "port.failed",
  "port.cancelled",
  "port.out_validation_requested",
  "port.out_completed",
  "plan.created",
  "plan.updated",
  "plan.deleted",
  "addon.created",
  "addon.updated",
  "addon.deleted",
  "usage.data_threshold_crossed",
  "usage.voice_threshold_crossed",
  "usage.sms_threshold_crossed",
  "usage.intl_voice_threshold_crossed",
  "usage.intl_roaming_threshold_crossed",
  "usage.intl_sms_threshold_crossed",
  "usage.tier_changed",
  "usage.cycle_rolled_over",
  "invoice.upcoming",
  "invoice.created",
  "invoice.finalized",
  "invoice.document_ready",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.voided",
  "invoice.marked_uncollectible",
  "payment.succeeded",
  "payment.failed",
  "payment.refunded",
  "payment_method.attached",
  "payment_method.updated",
  "payment_method.detached",
  "balance.credited",
  "discount.credit_applied",
  "dispute.opened",
  "dispute.updated",
  "dispute.closed",
  "psim_order.paid",
  "psim_order.created",
  "psim_order.refunded",
  "psim_order.canceled",
  "sms.received",
  "cpni.verification.requested",
  "cpni.verification.succeeded",
  "cpni.verification.failed",
  "cpni.escalation.requested",
  "cpni.escalation.approved",
  "cpni.escalation.denied",
  "referral.created",
  "referral.reward.earned",
  "referral.reward.fulfilled",
  "referral.reward.forfeited",
  "referral.completed",
  "referral.voided",
  "carrier_connection.verified",
  "carrier_connection.auth_failed",
  "carrier_connection.credentials_expired",
  "payment_connection.verified",
  "payment_connection.auth_failed",
  "payment_connection.credentials_expired",
  "fraud.evaluated",
  "webhook_endpoint.test",
];

/** Types that only an earlier catalog has. */
export const earlierEventTypes = [
  "sim.ordered",
  "sim.reinstated",
  "sim.swap_completed",
  "port.validation_success",
  "port.validation_failed",
  "port.scheduled",
  "port_out.requested",
  "port_out.completed",
  "carrier_connection.verify_failed",
  "usage.threshold_crossed",
  "event.delivery_failed",
] as const satisfies readonly EventType[];

/** Every type that this version knows. */
export const eventTypes: readonly EventType[] = /* @__PURE__ */ [
  currentEventTypes,
  earlierEventTypes,
].flat();

export type EarlierEventType = (typeof earlierEventTypes)[number];

export type CurrentEventType = Exclude<EventType, EarlierEventType>;

const known: ReadonlySet<string> = /* @__PURE__ */ new Set(eventTypes);

/**
 * Tells whether this version knows the type of an event, so that `switch (event.type)` narrows it.
 *
 * @example
 * ```ts
 * if (isKnownEvent(event) && event.type === "sim.activated") console.log(event.data.object.subscriber_id);
 * ```
 */
export function isKnownEvent(event: WebhookEvent | UnknownEvent): event is WebhookEvent;
export function isKnownEvent<Known extends EventEnvelope>(
  event: Known | UnknownEvent,
): event is Known;
export function isKnownEvent(event: EventEnvelope): boolean {
  return known.has(event.type);
}
