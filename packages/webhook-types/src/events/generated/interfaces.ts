// @generated from the schema files by `npm run events`. Do not edit.
import type { OpenEnum, Secret } from "@fieldmesh/core";
import type {
  ChangeData,
  ChangeOf,
  DataOf,
  EventData,
  EventOf,
  OpenRecord,
  Resource,
} from "../envelope.ts";

/** An invoice. */
export interface Invoice extends Resource {
  /** The status of the invoice. The spec names only `upcoming`, on a preview. */
  status?: string | null | undefined;
  /**
   * A page that requires no login. The link is valid for 90 days, and responds with 410 afterwards: read a new one from the
   * API before you send it. For invoices from before document rendering, it is the page of the payment provider.
   */
  hosted_invoice_url?: string | null | undefined;
  /**
   * The PDF; `null` until it is rendered, which `invoice.document_ready` announces. The link is valid for 90 days, and
   * responds with 410 afterwards: read a new one from the API before you send it.
   */
  document_url?: string | null | undefined;
}

/** A preview: an invoice that does not exist yet, and has no `id`. */
export interface UpcomingInvoice extends OpenRecord {
  /** `upcoming`, on a preview. */
  status: OpenEnum<"upcoming">;
}

/** An invoice whose PDF is rendered. */
export interface DocumentedInvoice extends Invoice {
  /** Valid for 90 days, then responds with 410: read a new one from the API before you send it. */
  hosted_invoice_url: string;
  /** Valid for 90 days, then responds with 410: read a new one from the API before you send it. */
  document_url: string;
}

/** A payment. The spec shows no field of it. */
export interface Payment extends Resource {}

/** A payment method of a subscriber. The object shows its current state. */
export interface PaymentMethod extends Resource {
  /** Whether it is the default method. */
  is_default?: boolean | null | undefined;
  /** The brand of the card. */
  card_brand?: string | null | undefined;
  /** The last four digits of the card. Hidden in logs. */
  card_last4?: string | null | undefined;
  /** The month in which the card expires. */
  card_exp_month?: number | string | null | undefined;
  /** The year in which the card expires. */
  card_exp_year?: number | string | null | undefined;
}

/** The former values: either `is_default`, which was `false`, or one or more details of the card. */
export interface PaymentMethodBefore extends OpenRecord {
  /** `false`, if the method became the default. */
  is_default?: boolean | undefined;
  /** The brand of the card. */
  card_brand?: string | null | undefined;
  /** The last four digits of the card. Hidden in logs. */
  card_last4?: string | null | undefined;
  /** The month in which the card expires. */
  card_exp_month?: number | string | null | undefined;
  /** The year in which the card expires. */
  card_exp_year?: number | string | null | undefined;
}

/** An account credit. */
export interface BalanceCredit extends Resource {
  /** With `referral`, `referral.reward.fulfilled` announces the same money too. */
  kind?: OpenEnum<"referral"> | null | undefined;
}

/** A recurring discount credit. The spec shows no field of it. */
export interface DiscountCredit extends Resource {}

/** Invoice events, by type. */
export interface InvoiceEvents {
  /**
   * Fires three days before the next billing cycle; a preview invoice object (status upcoming, no
   * id); pre-tax amount covering every seat, add-ons due, and carried credit.
   *
   * Sandbox subscriptions always get it; live ones once they are billed by the service itself, and
   * none while the payment processor bills them. `GET /v1/subscriptions/{id}/renewal` returns the
   * same on demand.
   */
  "invoice.upcoming": EventOf<"invoice.upcoming", UpcomingInvoice>;
  /** Fires when an invoice is created. */
  "invoice.created": EventOf<"invoice.created", Invoice>;
  /**
   * Fires when an invoice is frozen and ready to collect.
   *
   * `document_url` may still be null: send the invoice on `invoice.document_ready`.
   */
  "invoice.finalized": EventOf<"invoice.finalized", Invoice>;
  /**
   * Fires when the PDF is rendered; fires once per stored document, moments after
   * `invoice.finalized`; `hosted_invoice_url` and `document_url` are populated on its object.
   */
  "invoice.document_ready": EventOf<"invoice.document_ready", DocumentedInvoice>;
  /** Fires when an invoice is paid. */
  "invoice.paid": EventOf<"invoice.paid", Invoice>;
  /** Fires when a payment attempt fails. */
  "invoice.payment_failed": EventOf<"invoice.payment_failed", Invoice>;
  /** Fires when an invoice is voided. */
  "invoice.voided": EventOf<"invoice.voided", Invoice>;
  /**
   * Fires when the service stops collecting on a finalized invoice; the debt stays on the books;
   * fires for the service's own billing engine and when mirrored from the payment processor.
   */
  "invoice.marked_uncollectible": EventOf<"invoice.marked_uncollectible", Invoice>;
}

/** Payment events, by type. */
export interface PaymentEvents {
  /** Fires when a payment succeeds. */
  "payment.succeeded": EventOf<"payment.succeeded", Payment>;
  /** Fires when a payment fails. */
  "payment.failed": EventOf<"payment.failed", Payment>;
  /** Fires when a payment is refunded. */
  "payment.refunded": EventOf<"payment.refunded", Payment>;
}

/** Payment method events, by type. */
export interface PaymentMethodEvents {
  /** Fires when a method is attached to a subscriber. */
  "payment_method.attached": EventOf<"payment_method.attached", PaymentMethod>;
  /**
   * Fires when the method becomes the default (`previous_attributes` holds `is_default` false), or
   * its on-file detail changes (`previous_attributes` holds one or more of `card_brand`,
   * `card_last4`, `card_exp_month`, `card_exp_year`); the object shows current state.
   */
  "payment_method.updated": ChangeOf<"payment_method.updated", PaymentMethod, PaymentMethodBefore>;
  /** Fires when a method is detached. */
  "payment_method.detached": EventOf<"payment_method.detached", PaymentMethod>;
}

/** Balance events, by type. */
export interface BalanceEvents {
  /**
   * Fires when an operator issues a positive account credit via
   * `POST /v1/subscribers/{id}/balance_credits`; never emitted for the same money as
   * `discount.credit_applied`.
   *
   * With `kind` `referral`, `referral.reward.fulfilled` announces the same money: drive accounting
   * from one of the two.
   */
  "balance.credited": EventOf<"balance.credited", BalanceCredit>;
}

/** Discount events, by type. */
export interface DiscountEvents {
  /** Fires when a recurring discount credit lands on an invoice the service issued itself. */
  "discount.credit_applied": EventOf<"discount.credit_applied", DiscountCredit>;
}

/** A connection to a carrier. The spec shows no field of it. */
export interface CarrierConnection extends Resource {}

/** A connection to a payment processor. Its events fire only when a scheduled check finds the status changed. */
export interface PaymentConnection extends Resource {
  /** The status. The spec names only `active`, for a working connection. */
  status?: OpenEnum<"active"> | null | undefined;
}

/** The former values. */
export interface PaymentConnectionBefore extends OpenRecord {
  /** The status before. */
  status: OpenEnum<"active">;
}

/** Carrier connection events, by type. */
export interface CarrierConnectionEvents {
  /** Fires when a scheduled verify call succeeded. */
  "carrier_connection.verified": EventOf<"carrier_connection.verified", CarrierConnection>;
  /** Fires when a verify call failed authentication. */
  "carrier_connection.auth_failed": EventOf<"carrier_connection.auth_failed", CarrierConnection>;
  /** Fires when the carrier credentials expired. */
  "carrier_connection.credentials_expired": EventOf<"carrier_connection.credentials_expired", CarrierConnection>;
  /**
   * Fires when a scheduled verify call failed.
   *
   * @deprecated Of an earlier catalog; today likely `carrier_connection.auth_failed`.
   */
  "carrier_connection.verify_failed": EventOf<"carrier_connection.verify_failed", CarrierConnection>;
}

/** Payment connection events, by type. */
export interface PaymentConnectionEvents {
  /** Fires when the processor connection works again (status becomes active). */
  "payment_connection.verified": ChangeOf<"payment_connection.verified", PaymentConnection, PaymentConnectionBefore>;
  /** Fires when the processor rejected the credentials. */
  "payment_connection.auth_failed": ChangeOf<"payment_connection.auth_failed", PaymentConnection, PaymentConnectionBefore>;
  /** Fires when the processor credentials expired. */
  "payment_connection.credentials_expired": ChangeOf<"payment_connection.credentials_expired", PaymentConnection, PaymentConnectionBefore>;
}

/** A support agent. */
export interface Agent extends OpenRecord {
  /** The id of the agent. */
  user_id: string;
  /** Personal data. */
  email: string;
}

/** A verification before an agent may see call records (CPNI). */
export interface CpniVerification extends OpenRecord {
  /** Always `cpni_verification`. */
  object: OpenEnum<"cpni_verification">;
  /** The id of the verification. */
  id: string;
  /** The subscriber whose data the agent needs. */
  subscriber_id: string;
  /** The agent who asked for the verification. */
  agent: Agent;
  /** When the code expires. */
  expires_at?: string | null | undefined;
  /** How long the agent has access after the correct code. */
  grant_duration_seconds?: number | null | undefined;
  /** The status. The spec names only `verified`. */
  status?: OpenEnum<"verified"> | null | undefined;
}

/** A step-up challenge that was just started, with its one-time code. */
export interface RequestedCpniVerification extends CpniVerification {
  /** Always `cpni_verification`. */
  object: OpenEnum<"cpni_verification">;
  /** The id of the verification. */
  id: string;
  /** The subscriber whose data the agent needs. */
  subscriber_id: string;
  /**
   * The one-time code, for the subscriber: you deliver it on your own channel. It must not be logged or stored.
   *
   * Only the signed webhook has it. An event that was read from `/events` never does.
   */
  code?: Secret | undefined;
  /** When the code expires: after 10 minutes, unless the operator sets another time. */
  expires_at: string;
  /** How long the agent has access after the correct code. */
  grant_duration_seconds: number;
}

/** A step-up challenge to which a code was submitted. */
export interface SubmittedCpniVerification extends CpniVerification {
  /** The agent who entered the code or the wrong codes. Missing if it was `agent`. */
  submitted_by?: Agent | undefined;
}

/** Carries no personal data and no code. */
export interface CpniEscalation extends Resource {
  /** A text of the agent. Hidden in logs. */
  reason?: string | null | undefined;
}

/** CPNI step-up events, by type. */
export interface CpniEvents {
  /**
   * Fires when an agent started a step-up challenge; carries the one-time code in
   * `data.object.code`.
   *
   * Stored events never carry the code. It must not be logged or stored.
   */
  "cpni.verification.requested": EventOf<"cpni.verification.requested", RequestedCpniVerification>;
  /**
   * Fires when the agent entered the correct code.
   *
   * `agent` asked for it; `submitted_by` is there only when another agent entered the code.
   */
  "cpni.verification.succeeded": EventOf<"cpni.verification.succeeded", SubmittedCpniVerification>;
  /**
   * Fires when the challenge locked out after too many attempts.
   *
   * `agent` asked for it; `submitted_by` is there only when another agent entered the wrong codes.
   */
  "cpni.verification.failed": EventOf<"cpni.verification.failed", SubmittedCpniVerification>;
  /**
   * Fires when an agent asked a supervisor for access without the code; carries the agent's
   * reason.
   */
  "cpni.escalation.requested": EventOf<"cpni.escalation.requested", CpniEscalation>;
  /**
   * Fires when a supervisor approved; the agent has access for a limited window; use it to tell
   * the subscriber.
   */
  "cpni.escalation.approved": EventOf<"cpni.escalation.approved", CpniEscalation>;
  /** Fires when a supervisor turned the request down. */
  "cpni.escalation.denied": EventOf<"cpni.escalation.denied", CpniEscalation>;
}

/** A dispute of a charge. */
export interface Dispute extends Resource {
  /** The status. The spec shows no value. */
  status?: string | null | undefined;
  /** The bank may have written it, so it is hidden in logs. */
  reason?: string | null | undefined;
}

/** Dispute events, by type. */
export interface DisputeEvents {
  /** Fires when a cardholder disputes a charge with the bank. */
  "dispute.opened": EventOf<"dispute.opened", Dispute>;
  /**
   * Fires when status or reason changes, including an inquiry reclassified as a fraud chargeback.
   */
  "dispute.updated": EventOf<"dispute.updated", Dispute>;
  /** Fires when the bank reaches its final verdict, won or lost. */
  "dispute.closed": EventOf<"dispute.closed", Dispute>;
}

/** The screened person, with an e-mail address and a phone number: personal data. */
export interface FraudSubject extends OpenRecord {
  /** Under this name (observed). */
  email?: unknown;
  /** Under this name (observed). */
  phone?: unknown;
}

/**
 * The spec does not say whether these fields are in the object or next to it: `fieldOf(event, "decision")` looks in both
 * places.
 */
export interface FraudEvaluation extends Resource {
  /** What to do with the request. The spec shows no value. */
  decision?: string | null | undefined;
  /** The fraud score. The spec states no range. */
  score?: number | null | undefined;
  /** The reasons. The spec shows no example. */
  reasons?: unknown[] | null | undefined;
  /** The mode of the screening. The spec shows no value. */
  mode?: string | null | undefined;
  /** The screened person: personal data. */
  subject?: FraudSubject | null | undefined;
}

/** The data of `fraud.evaluated`. */
export interface FraudEvaluationData extends EventData<FraudEvaluation> {
  /** What to do with the request. The spec shows no value. */
  decision?: string | null | undefined;
  /** The fraud score. The spec states no range. */
  score?: number | null | undefined;
  /** The reasons. The spec shows no example. */
  reasons?: unknown[] | null | undefined;
  /** The mode of the screening. The spec shows no value. */
  mode?: string | null | undefined;
  /** The screened person: personal data. */
  subject?: FraudSubject | null | undefined;
}

/** Fraud events, by type. */
export interface FraudEvents {
  /**
   * Fires when a signup, account change or `POST /v1/fraud/decisions` request was screened; only
   * for operators with fraud screening enabled; carries decision, score, reasons, mode and the
   * screened subject (includes e-mail address and phone number: treat as personal data).
   */
  "fraud.evaluated": DataOf<"fraud.evaluated", FraudEvaluationData>;
}

/** The full public object. The event is emitted in the same transaction as the write to the plan catalog. */
export interface Plan extends Resource {}

/** The full public object. The event is emitted in the same transaction as the write to the plan catalog. */
export interface Addon extends Resource {}

/** Plan events, by type. */
export interface PlanEvents {
  /** Fires when a plan is added. */
  "plan.created": EventOf<"plan.created", Plan>;
  /** Fires when details or price of a plan change. */
  "plan.updated": EventOf<"plan.updated", Plan>;
  /** Fires when a plan is withdrawn from sale; subscriptions on it unaffected. */
  "plan.deleted": EventOf<"plan.deleted", Plan>;
}

/** Addon events, by type. */
export interface AddonEvents {
  /** Fires when an addon is added. */
  "addon.created": EventOf<"addon.created", Addon>;
  /** Fires when details or price of an add-on change. */
  "addon.updated": EventOf<"addon.updated", Addon>;
  /** Fires when an add-on is withdrawn from sale; attached addons unaffected. */
  "addon.deleted": EventOf<"addon.deleted", Addon>;
}

/** The values in use (observed). */
export type PortReasonCode = OpenEnum<"wrong_account_number" | "wrong_pin" | "number_not_portable" | "name_mismatch" | "pending_port">;

/**
 * A port-in or port-out. The spec does not say whether the fields of a stalled one are in the object or next to it:
 * `fieldOf(event, "status_reason_code")` looks in both places.
 */
export interface Port extends Resource {
  /** The carrier's text. It may name a person, so keep it out of logs. */
  status_reason?: string | null | undefined;
  /** The carrier's code: branch on this one. */
  status_reason_code?: PortReasonCode | null | undefined;
  /** When the request was submitted. */
  submitted_at?: string | null | undefined;
  /** About 21. About 30 days after submission, the port-in is canceled and the line is switched off. */
  days_since_submitted?: number | null | undefined;
}

/** The data of a stalled port. */
export interface StalledPortData extends EventData<Port> {
  /** The carrier's text. It may name a person, so keep it out of logs. */
  status_reason?: string | null | undefined;
  /** The carrier's code: branch on this one. */
  status_reason_code?: PortReasonCode | null | undefined;
}

/** The data of an expiring port. */
export interface ExpiringPortData extends EventData<Port> {
  /** The carrier's text. It may name a person, so keep it out of logs. */
  status_reason?: string | null | undefined;
  /** The carrier's code: branch on this one. */
  status_reason_code?: PortReasonCode | null | undefined;
  /** When the request was submitted. */
  submitted_at?: string | null | undefined;
  /** About 21. About 30 days after submission, the port-in is canceled and the line is switched off. */
  days_since_submitted?: number | null | undefined;
}

/** Port events, by type. */
export interface PortEvents {
  /** Fires when a port-in request record is created. */
  "port.created": EventOf<"port.created", Port>;
  /** Fires when the request is accepted by the service. */
  "port.submitted": EventOf<"port.submitted", Port>;
  /** Fires when the carrier has the port-in in flight. */
  "port.in_progress": EventOf<"port.in_progress", Port>;
  /**
   * Fires when a port-in is stalled and needs operator or subscriber input; `status_reason` carries the carrier
   * text, `status_reason_code` its code (branch on the code).
   */
  "port.resolution_required": DataOf<"port.resolution_required", StalledPortData>;
  /**
   * Fires when a stalled port-in nears the carrier deadline (about 30 days from submission, after
   * which it is cancelled and the line switched off); fires once per submission around day 21;
   * carries `status_reason`, `status_reason_code`, `submitted_at`, `days_since_submitted`.
   */
  "port.resolution_expiring": DataOf<"port.resolution_expiring", ExpiringPortData>;
  /** Fires when the number transfer is completed. */
  "port.completed": EventOf<"port.completed", Port>;
  /** Fires when the port-in failed. */
  "port.failed": EventOf<"port.failed", Port>;
  /** Fires when the port-in was cancelled. */
  "port.cancelled": EventOf<"port.cancelled", Port>;
  /** Fires when the gaining carrier requested port-out validation. */
  "port.out_validation_requested": EventOf<"port.out_validation_requested", Port>;
  /** Fires when a port-out finalized and the line left the service. */
  "port.out_completed": EventOf<"port.out_completed", Port>;
  /**
   * Fires when the losing carrier validated.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_success": EventOf<"port.validation_success", Port>;
  /**
   * Fires when the losing carrier rejected.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_failed": EventOf<"port.validation_failed", Port>;
  /**
   * Fires when the carrier scheduled the cut-over.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.scheduled": EventOf<"port.scheduled", Port>;
}

/** Port-out events, by type. */
export interface PortOutEvents {
  /**
   * Fires when the gaining carrier requested port-out.
   *
   * @deprecated Of an earlier catalog; today `port.out_validation_requested`.
   */
  "port_out.requested": EventOf<"port_out.requested", Port>;
  /**
   * Fires when a port-out finalized.
   *
   * @deprecated Of an earlier catalog; today `port.out_completed`.
   */
  "port_out.completed": EventOf<"port_out.completed", Port>;
}

/** An order of a physical SIM. Only the webhook has the recipient's e-mail address and postal address; stored events lack them. */
export interface PsimOrder extends Resource {
  /** The e-mail address of the recipient, under this name (observed). Personal data. */
  email?: unknown;
  /** Personal data. */
  shipping_address?: unknown;
}

/** Physical SIM order events, by type. */
export interface PsimOrderEvents {
  /**
   * Fires when a paid order is placed (card charged).
   *
   * The recipient's e-mail and address come by webhook only.
   */
  "psim_order.paid": EventOf<"psim_order.paid", PsimOrder>;
  /**
   * Fires when a free order is placed.
   *
   * The recipient's e-mail and address come by webhook only.
   */
  "psim_order.created": EventOf<"psim_order.created", PsimOrder>;
  /** Fires when an order's charge is refunded or a paid order is canceled. */
  "psim_order.refunded": EventOf<"psim_order.refunded", PsimOrder>;
  /** Fires when a free order is canceled. */
  "psim_order.canceled": EventOf<"psim_order.canceled", PsimOrder>;
}

/** Public ids, no personal data. */
export interface Referral extends Resource {
  /** The recorded reason, for a voided referral. Hidden in logs. */
  reason?: string | null | undefined;
}

/** A reward of a referral. */
export interface ReferralReward extends Resource {
  /** The id of the referral. */
  referral_id: string;
  /** The step of the reward program. */
  step_index: number;
  /** The recipient of the reward. The spec does not show its form. */
  recipient: unknown;
  /** Frozen when the reward is earned. */
  amount_cents: number;
}

/** A reward whose credit was applied. */
export interface FulfilledReward extends ReferralReward {
  /** The reference of the credit. */
  credit_ref: string;
}

/** A reward that will never be earned. It may have no amount. */
export interface ForfeitedReward extends Resource {
  /** The id of the referral. */
  referral_id?: string | null | undefined;
  /** The step of the reward program. */
  step_index?: number | null | undefined;
  /** The person who would have received the reward. The spec does not show its form. */
  recipient?: unknown;
  /** The amount, if there was one. */
  amount_cents?: number | null | undefined;
  /**
   * The referee cancelled, a counted invoice was refunded, the referrer is no longer a customer, a cap was reached, or
   * the referral was voided.
   */
  reason?: string | null | undefined;
}

/** Referral events, by type. They fire only where the referrals product is switched on for the operator. */
export interface ReferralEvents {
  /** Fires when a signup is attributed to a referral code; no money has moved. */
  "referral.created": EventOf<"referral.created", Referral>;
  /**
   * Fires when a reward step resolved to an amount; data.object carries `referral_id`,
   * `step_index`, `recipient`, `amount_cents` and the triggering invoice; amount frozen here.
   */
  "referral.reward.earned": EventOf<"referral.reward.earned", ReferralReward>;
  /**
   * Fires when the credit landed; carries `credit_ref`; `balance.credited` with kind referral also
   * fires for the same money, so drive accounting from only one.
   */
  "referral.reward.fulfilled": EventOf<"referral.reward.fulfilled", FulfilledReward>;
  /**
   * Fires when a step will never be earned; reason: referee cancelled, counted invoice refunded,
   * referrer no longer a customer, cap reached, or referral voided.
   */
  "referral.reward.forfeited": EventOf<"referral.reward.forfeited", ForfeitedReward>;
  /** Fires when every reward step has a final outcome. */
  "referral.completed": EventOf<"referral.completed", Referral>;
  /** Fires when an operator reversed a mistaken attribution, with reason recorded. */
  "referral.voided": EventOf<"referral.voided", Referral>;
}

/** A card of the stock, or a batch of them. */
export interface SimInventory extends Resource {}

/** A card that was withdrawn. */
export interface QuarantinedCard extends SimInventory {
  /** The spec does not say where it is: `fieldOf(event, "quarantine_reason")` looks in both places. */
  quarantine_reason?: string | null | undefined;
}

/** The data of `sim_inventory.quarantined`. */
export interface QuarantinedCardData extends EventData<QuarantinedCard> {
  /** The spec does not say where it is: `fieldOf(event, "quarantine_reason")` looks in both places. */
  quarantine_reason?: string | null | undefined;
}

/** A low stock. */
export interface LowStock extends SimInventory {
  /**
   * The number of cards left for this carrier connection and card type. The spec does not say where it is: `fieldOf(event, "available")`
   * looks in both places.
   */
  available?: number | null | undefined;
  /** As for `available`, the spec does not say where it is. */
  threshold?: number | null | undefined;
}

/** The data of `sim_inventory.low_stock`. */
export interface LowStockData extends EventData<LowStock> {
  /**
   * The number of cards left for this carrier connection and card type. The spec does not say where it is: `fieldOf(event, "available")`
   * looks in both places.
   */
  available?: number | null | undefined;
  /** As for `available`, the spec does not say where it is. */
  threshold?: number | null | undefined;
}

/** SIM inventory events, by type. */
export interface SimInventoryEvents {
  /** Fires when a batch of cards is loaded (one event per import). */
  "sim_inventory.imported": EventOf<"sim_inventory.imported", SimInventory>;
  /** Fires when a card is drawn for a new SIM. */
  "sim_inventory.claimed": EventOf<"sim_inventory.claimed", SimInventory>;
  /**
   * Fires when a claimed card returns to the pool because its SIM's port-in was cancelled or
   * failed.
   */
  "sim_inventory.released": EventOf<"sim_inventory.released", SimInventory>;
  /** Fires when a card is withdrawn permanently; carries `quarantine_reason`. */
  "sim_inventory.quarantined": DataOf<"sim_inventory.quarantined", QuarantinedCardData>;
  /**
   * Fires when a claim leaves exactly the low-stock threshold of available cards for that carrier
   * connection and card type; carries available and threshold; fires on the crossing only.
   */
  "sim_inventory.low_stock": DataOf<"sim_inventory.low_stock", LowStockData>;
}

/** The state of a SIM. */
export type SimState = OpenEnum<"provisioned" | "active" | "suspended" | "deactivated">;

/** A limit of the video quality. */
export type VideoQuality = OpenEnum<"480p">;

/** Notes of the service about a SIM. */
export interface SimMetadata extends OpenRecord {
  /** The end of a number hold. */
  carrier_held_until?: string | null | undefined;
}

/** A SIM. */
export interface Sim extends Resource {
  /** The state of the SIM. The service may add values. */
  state?: SimState | null | undefined;
  /** Notes of the service about the SIM. */
  metadata?: SimMetadata | null | undefined;
  /** In `sim.reassigned`, the payer; in `sim.linked`, the member, if the line belongs to a group. */
  subscriber_id?: string | null | undefined;
  /** The member who uses the line. */
  holder_subscriber_id?: string | null | undefined;
  /** The id of the subscription; `null` for none. */
  subscription_id?: string | null | undefined;
  /** The id of the line in a group subscription; `null` for none. */
  subscription_line_id?: string | null | undefined;
  /** Your own id of the subscriber. It may be an e-mail address, so it is hidden in logs. */
  external_subscriber_id?: string | null | undefined;
  /** The status of the subscription. The service may add values. */
  subscription_status?: SubscriptionStatus | null | undefined;
  /** A phone number: personal data. */
  msisdn?: string | null | undefined;
  /** The data boost, in megabytes. */
  boost_mb?: number | null | undefined;
  /** Whether scam blocking is on. */
  scam_block_enabled?: boolean | null | undefined;
  /** The video quality. The spec names only `480p`. */
  video_quality?: VideoQuality | null | undefined;
  /** The priority service code. The spec does not show its form. */
  wps?: unknown;
}

/** A SIM with its install string. */
export interface InstallableSim extends Sim {
  /**
   * The eSIM install string: anyone who has it can install the line.
   *
   * Missing if the endpoint's `enabled_events` has only `*`; present if it names the type or `sim.*`.
   */
  activation_code?: Secret | null | undefined;
}

/** What a cleared SIM was bound to. `null` for anything that it was not bound to. */
export interface ClearedSimBefore extends OpenRecord {
  /** The subscriber before; `null` for none. */
  subscriber_id: string | null;
  /** The subscription before; `null` for none. */
  subscription_id: string | null;
  /** The line before; `null` for none. */
  subscription_line_id: string | null;
  /** The phone number before: personal data. */
  msisdn: string | null;
}

/** The data of a SIM that was cleared. */
export interface ClearedSimData extends ChangeData<Sim, ClearedSimBefore> {
  /** `deactivated` or `provisioned`. The spec names it here; `object.state` is part of the snapshot. */
  state?: SimState | null | undefined;
}

/** The placement of a reassigned SIM. `reassignmentOf` reads it as the spec advises. */
export interface ReassignedSim extends Sim {
  /** The payer. */
  subscriber_id: string;
  /** The member who uses the line. Mirror this one. */
  holder_subscriber_id: string;
  /** The subscription that the SIM now belongs to. */
  subscription_id: string;
  /** The line that the SIM now belongs to; `null` for none. */
  subscription_line_id: string | null;
  /** Your own id of the subscriber. It may be an e-mail address, so it is hidden in logs. */
  external_subscriber_id: string | null;
  /** Take the new status from here. */
  subscription_status: SubscriptionStatus;
}

/** Where a reassigned SIM was before. */
export interface ReassignedSimBefore extends OpenRecord {
  /** The payer before. */
  subscriber_id: string | null;
  /** The subscription before. */
  subscription_id: string | null;
  /** The line before; `null` for none. */
  subscription_line_id: string | null;
  /** Re-point a mirrored subscription only when this is `cancelled`. */
  subscription_status: SubscriptionStatus | null;
}

/** A SIM whose scam blocking was switched on or off. */
export interface ScamBlockSim extends Sim {
  /** Whether scam blocking is on now. */
  scam_block_enabled: boolean;
}

/** A SIM whose video quality changed. */
export interface VideoQualitySim extends Sim {
  /** The video quality now. */
  video_quality: VideoQuality;
  /** The video quality before. */
  previous_video_quality: VideoQuality | null;
  /** Lowered because of data use, and not yet raised again. */
  video_stepped_down: boolean;
}

/** A SIM whose priority service code changed. */
export interface PrioritySim extends Sim {
  /** The priority service code now. The spec does not show its form. */
  wps: unknown;
}

/** A SIM that lost a part of its data boost. */
export interface ReducedBoostSim extends Sim {
  /** The rest of the boost, in megabytes. */
  boost_mb: number;
  /** The removed part, in megabytes. */
  boost_mb_removed: number;
}

/** A SIM for which an eSIM profile was issued. */
export interface ProfileSim extends Sim {
  /** When the profile expires. */
  profile_expires_at: string;
}

/** SIM events, by type. */
export interface SimEvents {
  /**
   * Fires when a SIM record is created and provisioned.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.provisioned": EventOf<"sim.provisioned", InstallableSim>;
  /** Fires when an existing SIM is imported (migration). */
  "sim.imported": EventOf<"sim.imported", Sim>;
  /** Fires when activation is requested from the carrier. */
  "sim.activation_started": EventOf<"sim.activation_started", Sim>;
  /**
   * Fires when the carrier confirms activation.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.activated": EventOf<"sim.activated", InstallableSim>;
  /** Fires when the carrier rejects activation. */
  "sim.activation_failed": EventOf<"sim.activation_failed", Sim>;
  /** Fires when activation has stalled and needs operator resolution. */
  "sim.activation_resolution_required": EventOf<"sim.activation_resolution_required", Sim>;
  /** Fires when a SIM moves to suspended. */
  "sim.suspended": EventOf<"sim.suspended", Sim>;
  /** Fires when a SIM moves from suspended back to active. */
  "sim.restored": EventOf<"sim.restored", Sim>;
  /** Fires when a SIM is deactivated, for good. */
  "sim.deactivated": EventOf<"sim.deactivated", Sim>;
  /**
   * Fires when a SIM is released to unassigned stock (operator clear, or card freed after an
   * abandoned port-in); `data.state` is deactivated or provisioned; `metadata.carrier_held_until`
   * marks the end of a number hold; `previous_attributes` holds `subscriber_id`,
   * `subscription_id`, `subscription_line_id` (null if none) and msisdn.
   */
  "sim.cleared": DataOf<"sim.cleared", ClearedSimData>;
  /**
   * Fires when unassigned stock is bound to a subscriber; carries the link target (on a group
   * line, the member, not the payer).
   */
  "sim.linked": EventOf<"sim.linked", Sim>;
  /**
   * Fires when a fresh carrier read is recorded; fires on every sync including no-change ones,
   * alongside any `sim.suspended` or `sim.deactivated` it found.
   *
   * So it does not mean that anything changed.
   */
  "sim.synced": EventOf<"sim.synced", Sim>;
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.swapped": EventOf<"sim.swapped", InstallableSim>;
  /**
   * Fires when the SIM's placement moves (explicit reassign or reuse by a re-subscribe); object
   * carries `subscriber_id` (the payer), `holder_subscriber_id` (the member who uses the line),
   * `subscription_id`, `subscription_line_id`, `external_subscriber_id`, `subscription_status`;
   * `previous_attributes` carries the old `subscription_id`, `subscriber_id`,
   * `subscription_line_id`, `subscription_status`.
   *
   * To mirror the end user read `holder_subscriber_id`. Re-point a mirrored subscription only when
   * `previous_attributes.subscription_status` is `cancelled`, and take the new status from
   * `subscription_status`. `reassignmentOf` does this.
   */
  "sim.reassigned": ChangeOf<"sim.reassigned", ReassignedSim, ReassignedSimBefore>;
  /** Fires when the SIM's provisioned products change. */
  "sim.products_updated": EventOf<"sim.products_updated", Sim>;
  /**
   * Fires when scam blocking is switched on or off; carries `scam_block_enabled`; only on plans that
   * include scam protection.
   */
  "sim.scam_block_changed": EventOf<"sim.scam_block_changed", ScamBlockSim>;
  /**
   * Fires when video quality changes because the plan sets `video_step_down_after_mb`; lowered to
   * 480p when cycle data use reaches it, raised at the next cycle or by a data boost; carries
   * `video_quality`, `previous_video_quality`, `video_stepped_down`.
   */
  "sim.video_quality_changed": EventOf<"sim.video_quality_changed", VideoQualitySim>;
  /** Fires when the priority service code changes; carries `wps`. */
  "sim.wps_changed": EventOf<"sim.wps_changed", PrioritySim>;
  /** Fires when the MSISDN changes. */
  "sim.msisdn_changed": EventOf<"sim.msisdn_changed", Sim>;
  /** Fires when a data boost is applied. */
  "sim.boosted": EventOf<"sim.boosted", Sim>;
  /** Fires when a data boost window ends (also a whole-grant reversal). */
  "sim.boost_expired": EventOf<"sim.boost_expired", Sim>;
  /**
   * Fires when part of an accumulated boost is taken back; carries `boost_mb`
   * and `boost_mb_removed`.
   */
  "sim.boost_reduced": EventOf<"sim.boost_reduced", ReducedBoostSim>;
  /**
   * Fires when an eSIM profile is issued; carries the SIM and `profile_expires_at`, never the
   * profile.
   */
  "sim.esim_profile_downloaded": EventOf<"sim.esim_profile_downloaded", ProfileSim>;
  /** Fires when a SIM is throttled after crossing a usage cap. */
  "sim.throttled": EventOf<"sim.throttled", Sim>;
  /** Fires when throttling is lifted (cycle rollover or manual). */
  "sim.throttle_cleared": EventOf<"sim.throttle_cleared", Sim>;
  /**
   * Fires when a port-out PIN is generated.
   *
   * The object may hold the PIN: keep all of it out of logs.
   */
  "sim.port_out_pin_generated": EventOf<"sim.port_out_pin_generated", Sim>;
  /** Fires when the port-out PIN is cleared. */
  "sim.port_out_pin_cleared": EventOf<"sim.port_out_pin_cleared", Sim>;
  /**
   * Fires when a SIM record is created.
   *
   * @deprecated Of an earlier catalog; today `sim.provisioned`.
   */
  "sim.ordered": EventOf<"sim.ordered", Sim>;
  /**
   * Fires when the SIM moves back to active.
   *
   * @deprecated Of an earlier catalog; today `sim.restored`.
   */
  "sim.reinstated": EventOf<"sim.reinstated", Sim>;
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * @deprecated Of an earlier catalog; today `sim.swapped`.
   */
  "sim.swap_completed": EventOf<"sim.swap_completed", Sim>;
}

/** A text message from a subscriber. All of it is personal data. */
export interface InboundMessage extends Resource {}

/** SMS events, by type. */
export interface SmsEvents {
  /**
   * Fires when a subscriber texts the short code; payload is the `inbound_message`; the service
   * does not reply to it.
   */
  "sms.received": EventOf<"sms.received", InboundMessage>;
}

/** Whether the SIM-swap and port-out lock is on. */
export type LockedStatus = OpenEnum<"user_initiated_lock" | "unlocked">;

/** A subscriber in an event, always without personal data. Read that from the API, if your role permits it. */
export interface Subscriber extends Resource {
  /** Always `null` in events. */
  email: null;
  /** Always `null` in events. */
  phone: null;
  /** Always `null` in events. */
  date_of_birth: null;
  /** Always `true` in events. */
  pii_redacted: true;
  /** The SIM-swap and port-out lock: `user_initiated_lock` is on. */
  locked_status?: LockedStatus | null | undefined;
  /** Until when the subscriber cannot add a card. */
  payment_updates_blocked_until?: string | null | undefined;
  /** Why the subscriber cannot add a card. Hidden in logs. */
  payment_updates_blocked_reason?: string | null | undefined;
}

/** A subscriber whose SIM-swap and port-out lock was just turned on or off. */
export interface SubscriberWithLock extends Subscriber {
  /** `user_initiated_lock` when the lock is on, `unlocked` when it is off. */
  locked_status: LockedStatus;
}

/** A subscriber who cannot add a card for a while. */
export interface BlockedSubscriber extends Subscriber {
  /** Until when the subscriber cannot add a card. */
  payment_updates_blocked_until: string;
  /** Why the subscriber cannot add a card. Hidden in logs. */
  payment_updates_blocked_reason: string;
}

/** Prior values of the fields that changed; contact fields are redacted. */
export interface SubscriberBefore extends OpenRecord {
  /** Redacted, like the next two. The spec does not show the form. */
  email?: unknown;
  /** Redacted. */
  phone?: unknown;
  /** Redacted. */
  date_of_birth?: unknown;
  /** The lock before. */
  locked_status?: LockedStatus | null | undefined;
  /** The end of the block before. */
  payment_updates_blocked_until?: string | null | undefined;
  /** The reason of the block before. Hidden in logs. */
  payment_updates_blocked_reason?: string | null | undefined;
}

/** The data of an erasure. The spec says that both fields are present, but states neither name nor form. */
export interface RedactedData extends EventData<Subscriber> {
  /** What was erased. The spec shows neither name nor form. */
  scopes?: unknown;
  /** The fields that were cleared. The spec shows neither name nor form. */
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
  "subscriber.payment_updates_blocked": EventOf<"subscriber.payment_updates_blocked", BlockedSubscriber>;
  /** Fires when the block is lifted before its window ends. */
  "subscriber.payment_updates_unblocked": EventOf<"subscriber.payment_updates_unblocked", Subscriber>;
}

/** Address events, by type. */
export interface AddressEvents {
  /**
   * Fires when a billing, shipping or e911 address is created or changed; an e911 change is
   * already accepted by the carrier.
   */
  "address.updated": EventOf<"address.updated", Address>;
}

/** `canceled` and `draft` are also in use (observed). */
export type SubscriptionStatus = OpenEnum<"active" | "paused" | "past_due" | "cancelled" | "canceled" | "terminated" | "pending_activation" | "draft">;

/** A subscription. */
export interface Subscription extends Resource {
  /** The status of the subscription. The service may add values. */
  status?: SubscriptionStatus | null | undefined;
}

/** A group subscription that a member left. */
export interface RemovedLine extends Subscription {
  /** Why the member leaves. The spec does not say where it is: `fieldOf(event, "reason")` looks in both places. */
  reason?: OpenEnum<"requested" | "scheduled" | "port_out"> | null | undefined;
}

/** The data of a member that was removed from a group. */
export interface RemovedLineData extends EventData<RemovedLine> {
  /** Why the member leaves. The spec does not say where it is: `fieldOf(event, "reason")` looks in both places. */
  reason?: OpenEnum<"requested" | "scheduled" | "port_out"> | null | undefined;
}

/** A group subscription that a member will leave. */
export interface DepartingLine extends Subscription {
  /**
   * When the member leaves: the end of the paid term. The spec does not say where it is: `fieldOf(event, "departs_at")`
   * looks in both places.
   */
  departs_at?: string | null | undefined;
}

/** The data of a member that will leave a group. */
export interface DepartingLineData extends EventData<DepartingLine> {
  /**
   * When the member leaves: the end of the paid term. The spec does not say where it is: `fieldOf(event, "departs_at")`
   * looks in both places.
   */
  departs_at?: string | null | undefined;
}

/** A subscription that is about to renew. */
export interface RenewingSubscription extends Subscription {
  /**
   * Net amount, renewal date and card, and one entry per seat on a group. The spec does not say where it is:
   * `fieldOf(event, "subscription_renewal")` looks in both places.
   */
  subscription_renewal?: OpenRecord | null | undefined;
}

/** The data of a subscription that renews soon. */
export interface RenewingSubscriptionData extends EventData<RenewingSubscription> {
  /**
   * Net amount, renewal date and card, and one entry per seat on a group. The spec does not say where it is:
   * `fieldOf(event, "subscription_renewal")` looks in both places.
   */
  subscription_renewal?: OpenRecord | null | undefined;
}

/** A booked change that failed. */
export interface ScheduledChange extends OpenRecord {
  /** Why the change cannot be applied. */
  reason: string;
}

/** The data of a scheduled change that could not be applied. */
export interface ScheduledChangeData extends EventData<Subscription> {
  /** The change that could not be applied. */
  scheduled_change: ScheduledChange;
}

/** Subscription events, by type. */
export interface SubscriptionEvents {
  /**
   * Fires when a subscription is created (API or migration import; import events carry
   * `data.imported` true).
   *
   * An earlier catalog of the service reserves it and does not emit it.
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
  "subscription.line_removed": DataOf<"subscription.line_removed", RemovedLineData>;
  /** Fires when a departure is booked for the end of a paid term; carries `departs_at`. */
  "subscription.line.removal_scheduled": DataOf<"subscription.line.removal_scheduled", DepartingLineData>;
  /** Fires when the payer cancels a booked departure; the member stays. */
  "subscription.line.removal_canceled": EventOf<"subscription.line.removal_canceled", Subscription>;
  /**
   * Fires when a booked change (a member downgrade, or one line of a whole-group billing-period
   * switch) cannot be applied at renewal and never will be; `data.scheduled_change.reason` says
   * why.
   */
  "subscription.scheduled_change_failed": DataOf<"subscription.scheduled_change_failed", ScheduledChangeData>;
  /**
   * Fires when billing is put on hold: the subscription is paused, and its SIMs keep working. A void collection pause
   * appears on the object; the spec does not name its field.
   */
  "subscription.paused": EventOf<"subscription.paused", Subscription>;
  /** Fires when billing restarts: the subscription is active again, and its collection pause is cleared. */
  "subscription.resumed": EventOf<"subscription.resumed", Subscription>;
  /** Fires when a subscription moves to cancelled. */
  "subscription.cancelled": EventOf<"subscription.cancelled", Subscription>;
  /**
   * Fires when a subscription moves to terminated.
   *
   * An earlier catalog of the service reserves it: nothing triggers it there.
   */
  "subscription.terminated": EventOf<"subscription.terminated", Subscription>;
  /** Fires when payment is overdue. */
  "subscription.past_due": EventOf<"subscription.past_due", Subscription>;
  /** Fires when payment retries are exhausted and collection has stopped; the status does not change. */
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
  "subscription.renewal_upcoming": DataOf<"subscription.renewal_upcoming", RenewingSubscriptionData>;
}

/** What a usage event carries. The spec shows no field of it. */
export interface Usage extends Resource {}

/** Usage events, by type. */
export interface UsageEvents {
  /** Fires when a configured data threshold is crossed. */
  "usage.data_threshold_crossed": EventOf<"usage.data_threshold_crossed", Usage>;
  /** Fires when a configured voice threshold is crossed. */
  "usage.voice_threshold_crossed": EventOf<"usage.voice_threshold_crossed", Usage>;
  /** Fires when a configured SMS threshold is crossed. */
  "usage.sms_threshold_crossed": EventOf<"usage.sms_threshold_crossed", Usage>;
  /** Fires when the carrier reports the international calling allowance running out or used up. */
  "usage.intl_voice_threshold_crossed": EventOf<"usage.intl_voice_threshold_crossed", Usage>;
  /** Fires when the carrier reports the international roaming allowance running out or used up. */
  "usage.intl_roaming_threshold_crossed": EventOf<"usage.intl_roaming_threshold_crossed", Usage>;
  /** Fires when the carrier reports the international texting allowance running out or used up. */
  "usage.intl_sms_threshold_crossed": EventOf<"usage.intl_sms_threshold_crossed", Usage>;
  /** Fires when the SIM moves between throttle tiers. */
  "usage.tier_changed": EventOf<"usage.tier_changed", Usage>;
  /** Fires when a billing cycle rolls over and counters reset. */
  "usage.cycle_rolled_over": EventOf<"usage.cycle_rolled_over", Usage>;
  /**
   * Fires when a configured data, voice or SMS threshold is hit.
   *
   * @deprecated Of an earlier catalog; today `usage.data_threshold_crossed`,
   * `usage.voice_threshold_crossed` and `usage.sms_threshold_crossed`.
   */
  "usage.threshold_crossed": EventOf<"usage.threshold_crossed", Usage>;
}

/** Only the id of the webhook endpoint. */
export interface WebhookEndpoint extends Resource {}

/** Webhook endpoint events, by type. */
export interface WebhookEndpointEvents {
  /**
   * Fires when a test event is sent to an endpoint from the dashboard; carries only the endpoint
   * id.
   */
  "webhook_endpoint.test": EventOf<"webhook_endpoint.test", WebhookEndpoint>;
}

/** Event events, by type. */
export interface EventEvents {
  /**
   * Fires when a webhook endpoint landed in dead-letter.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "event.delivery_failed": EventOf<"event.delivery_failed", OpenRecord>;
}

/** Every event by its type: 128 types of the current catalog, and 11 that only an earlier one has. */
export interface EventMap
  extends
    AddonEvents,
    AddressEvents,
    BalanceEvents,
    CarrierConnectionEvents,
    CpniEvents,
    DiscountEvents,
    DisputeEvents,
    EventEvents,
    FraudEvents,
    InvoiceEvents,
    PaymentEvents,
    PaymentConnectionEvents,
    PaymentMethodEvents,
    PlanEvents,
    PortEvents,
    PortOutEvents,
    PsimOrderEvents,
    ReferralEvents,
    SimEvents,
    SimInventoryEvents,
    SmsEvents,
    SubscriberEvents,
    SubscriptionEvents,
    UsageEvents,
    WebhookEndpointEvents {}

/** The tables by family. A family is what comes before the first dot of a type. */
export interface FamilyMap {
  addon: AddonEvents;
  address: AddressEvents;
  balance: BalanceEvents;
  carrier_connection: CarrierConnectionEvents;
  cpni: CpniEvents;
  discount: DiscountEvents;
  dispute: DisputeEvents;
  event: EventEvents;
  fraud: FraudEvents;
  invoice: InvoiceEvents;
  payment: PaymentEvents;
  payment_connection: PaymentConnectionEvents;
  payment_method: PaymentMethodEvents;
  plan: PlanEvents;
  port: PortEvents;
  port_out: PortOutEvents;
  psim_order: PsimOrderEvents;
  referral: ReferralEvents;
  sim: SimEvents;
  sim_inventory: SimInventoryEvents;
  sms: SmsEvents;
  subscriber: SubscriberEvents;
  subscription: SubscriptionEvents;
  usage: UsageEvents;
  webhook_endpoint: WebhookEndpointEvents;
}
