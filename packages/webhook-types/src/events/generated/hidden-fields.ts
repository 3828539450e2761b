// @generated from the schema files by `npm run generate -- events`. Do not edit.
import type { SecretFieldMap } from "./interfaces.ts";

/**
 * The names of the secret fields, by event type. A stored event has none of them.
 *
 * @example
 * ```ts
 * secretFields["sim.activated"]; // ["activation_code"]
 * ```
 */
export const secretFields: {
  readonly [Type in keyof SecretFieldMap]: readonly SecretFieldMap[Type][];
} = {
  "cpni.verification.requested": ["code"],
  "sim.provisioned": ["activation_code"],
  "sim.activated": ["activation_code"],
  "sim.swapped": ["activation_code"],
};

/** The personal fields of objects in events, by family and path. `*` stands for the whole object. */
export const personalFields = [
  "address.*",
  "cpni.agent.email",
  "cpni.reason",
  "cpni.submitted_by.email",
  "dispute.reason",
  "fraud.subject",
  "payment_method.card_last4",
  "port.status_reason",
  "port_out.status_reason",
  "psim_order.email",
  "psim_order.shipping_address",
  "referral.reason",
  "sim.external_subscriber_id",
  "sim.msisdn",
  "sms.*",
  "subscriber.date_of_birth",
  "subscriber.email",
  "subscriber.payment_updates_blocked_reason",
  "subscriber.phone",
] as const;

/** A field of {@link personalFields}. */
export type PersonalField = (typeof personalFields)[number];

/** The names of links that open without a login. */
export const signedLinks: readonly string[] = ["document_url", "hosted_invoice_url"];

/** The fields without a mark, of objects that are personal or secret as a whole, by event type. */
export const declaredInHidden: Readonly<Record<string, readonly string[]>> = {
  "sim.port_out_pin_generated": ["id", "state", "metadata", "subscriber_id", "holder_subscriber_id", "subscription_id", "subscription_line_id", "subscription_status", "boost_mb", "scam_block_enabled", "video_quality", "wps"],
  "sms.received": ["id"],
  "address.updated": ["id"],
};
