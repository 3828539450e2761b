// @generated from the schema files by `npm run generate -- events`. Do not edit.
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
   * A page that requires no login. The link is valid for 90 days and responds with 410 after that: read a new one from the
   * API before you send it. An older invoice, issued before document rendering began, has the page of the payment
   * provider, which expires on the provider's schedule.
   */
  hosted_invoice_url?: string | null | undefined;
  /**
   * The PDF; `null` until it is rendered, which `invoice.document_ready` announces. The link is valid for 90 days and
   * responds with 410 after that: read a new one from the API before you send it.
   */
  document_url?: string | null | undefined;
}

/** A preview: an invoice that does not exist yet, and has no `id`. */
export interface UpcomingInvoice {
  /** A preview has no id. The name is declared so that you can read the `id` of any object. */
  id?: unknown;
  /** The status of a preview: `upcoming`. */
  status: OpenEnum<"upcoming">;
}

/** An invoice whose PDF is rendered. */
export interface DocumentedInvoice extends Invoice {
  /** The link is valid for 90 days and responds with 410 after that: read a new one from the API before you send it. */
  hosted_invoice_url: string;
  /** The link is valid for 90 days and responds with 410 after that: read a new one from the API before you send it. */
  document_url: string;
}

/** A payment. The spec shows no field of it. */
export interface Payment extends Resource, OpenRecord {}

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

/** The previous values: either `is_default`, which was `false`, or one or more details of the card. */
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
  /** The kind of credit. If it is `referral`, `referral.reward.fulfilled` reports the same money. */
  kind?: OpenEnum<"referral"> | null | undefined;
}

/** A recurring discount credit. The spec shows no field of it. */
export interface DiscountCredit extends Resource, OpenRecord {}

/** Invoice events, by type. */
export interface InvoiceEvents {
  /**
   * Fires three days before the next billing cycle. The object is a preview of an invoice: its status is `upcoming`, and it
   * has no `id`. The amount is before tax, and covers every seat, the add-ons that are due and any carried credit.
   *
   * Sandbox subscriptions always emit this event. A live subscription emits it only after it has moved to the service's own
   * billing engine, and not while the payment processor still bills it. The payload does not change when a subscription
   * moves. `GET /v1/subscriptions/{id}/renewal` returns the next renewal on demand.
   */
  "invoice.upcoming": EventOf<"invoice.upcoming", UpcomingInvoice>;
  /** Fires when an invoice is created. */
  "invoice.created": EventOf<"invoice.created", Invoice>;
  /**
   * Fires when an invoice is frozen and ready to collect.
   *
   * `document_url` may still be `null`: send the invoice when you receive `invoice.document_ready`.
   */
  "invoice.finalized": EventOf<"invoice.finalized", Invoice>;
  /**
   * Fires when the PDF of an invoice is rendered. It fires once for each stored document, moments after `invoice.finalized`.
   * The object has both `hosted_invoice_url` and `document_url`.
   */
  "invoice.document_ready": EventOf<"invoice.document_ready", DocumentedInvoice>;
  /** Fires when an invoice is paid. */
  "invoice.paid": EventOf<"invoice.paid", Invoice>;
  /** Fires when a payment attempt fails. */
  "invoice.payment_failed": EventOf<"invoice.payment_failed", Invoice>;
  /** Fires when an invoice is voided. */
  "invoice.voided": EventOf<"invoice.voided", Invoice>;
  /**
   * Fires when the service stops collecting on a finalized invoice. The debt stays on the books. The event comes from the
   * service's own billing engine, or mirrors a change at the payment processor.
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
  /** Fires when a payment method is attached to a subscriber. */
  "payment_method.attached": EventOf<"payment_method.attached", PaymentMethod>;
  /**
   * Fires when a payment method becomes the default, or when its details on file change. The object shows the current state.
   *
   * If the method became the default, `previous_attributes` holds `is_default` with the value `false`. If details changed,
   * it holds one or more of `card_brand`, `card_last4`, `card_exp_month` and `card_exp_year`.
   */
  "payment_method.updated": ChangeOf<"payment_method.updated", PaymentMethod, PaymentMethodBefore>;
  /** Fires when a payment method is detached from a subscriber. */
  "payment_method.detached": EventOf<"payment_method.detached", PaymentMethod>;
}

/** Balance events, by type. */
export interface BalanceEvents {
  /**
   * Fires when an operator issues a positive account credit with `POST /v1/subscribers/{id}/balance_credits`. It never fires
   * for the same money as `discount.credit_applied`.
   *
   * If `kind` is `referral`, `referral.reward.fulfilled` reports the same money: use only one of the two for accounting.
   */
  "balance.credited": EventOf<"balance.credited", BalanceCredit>;
}

/** Discount events, by type. */
export interface DiscountEvents {
  /** Fires when a recurring discount credit is applied to an invoice that the service itself issued. */
  "discount.credit_applied": EventOf<"discount.credit_applied", DiscountCredit>;
}

/** A connection to a carrier. The spec shows no field of it. */
export interface CarrierConnection extends Resource, OpenRecord {}

/** A connection to a payment processor. Its events fire only when a scheduled check finds the status changed. */
export interface PaymentConnection extends Resource {
  /** The status. The spec names only `active`, for a working connection. */
  status?: OpenEnum<"active"> | null | undefined;
}

/** The previous values. */
export interface PaymentConnectionBefore extends OpenRecord {
  /** The previous status. */
  status: OpenEnum<"active">;
}

/** Carrier connection events, by type. These events report on the connection to a carrier. */
export interface CarrierConnectionEvents {
  /** Fires when a scheduled verify call succeeds. */
  "carrier_connection.verified": EventOf<"carrier_connection.verified", CarrierConnection>;
  /** Fires when authentication fails in a verify call. */
  "carrier_connection.auth_failed": EventOf<"carrier_connection.auth_failed", CarrierConnection>;
  /** Fires when the carrier credentials expire. */
  "carrier_connection.credentials_expired": EventOf<"carrier_connection.credentials_expired", CarrierConnection>;
  /**
   * Fires when a scheduled verify call fails.
   *
   * @deprecated Of an earlier catalog; today likely `carrier_connection.auth_failed`.
   */
  "carrier_connection.verify_failed": EventOf<"carrier_connection.verify_failed", CarrierConnection>;
}

/**
 * Payment connection events, by type. These events fire only if a scheduled check finds that the status of the connection
 * has changed.
 */
export interface PaymentConnectionEvents {
  /**
   * Fires when the connection to the payment processor works again: its status becomes `active`.
   *
   * The event fires only if a scheduled check finds that the status has changed.
   */
  "payment_connection.verified": ChangeOf<"payment_connection.verified", PaymentConnection, PaymentConnectionBefore>;
  /**
   * Fires when the payment processor rejects the credentials.
   *
   * The event fires only if a scheduled check finds that the status has changed.
   */
  "payment_connection.auth_failed": ChangeOf<"payment_connection.auth_failed", PaymentConnection, PaymentConnectionBefore>;
  /**
   * Fires when the credentials for the payment processor expire.
   *
   * The event fires only if a scheduled check finds that the status has changed.
   */
  "payment_connection.credentials_expired": ChangeOf<"payment_connection.credentials_expired", PaymentConnection, PaymentConnectionBefore>;
}

/** A support agent. */
export interface Agent extends OpenRecord {
  /** The id of the agent. */
  user_id: string;
  /** The email address of the agent: personal data. */
  email: string;
}

/** A verification that a support agent needs before access to the personal data or the account of a subscriber (CPNI). */
export interface CpniVerification {
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
   * The one-time code for the subscriber, which you deliver on your own channel. Don't log or store it.
   *
   * Only the signed webhook has it. An event from `/events` never has it.
   */
  code?: Secret | undefined;
  /** When the code expires: after 10 minutes, unless the operator sets another time. */
  expires_at: string;
  /** How long the agent has access after the correct code. */
  grant_duration_seconds: number;
}

/** A step-up challenge to which a code was submitted. */
export interface SubmittedCpniVerification extends CpniVerification {
  /** The agent who entered the code or the wrong codes. Absent if that was `agent`. */
  submitted_by?: Agent | undefined;
}

/** A request of an agent to a supervisor, for access without the code. It carries no personal data and no code. */
export interface CpniEscalation extends Resource {
  /** What the agent wrote. Hidden in logs. */
  reason?: string | null | undefined;
}

/**
 * CPNI step-up events, by type. When a support agent needs the personal data of a subscriber or has to change the account,
 * the service issues a one-time code. You deliver the code to the subscriber, who reads it to the agent.
 */
export interface CpniEvents {
  /**
   * Fires when an agent starts a step-up challenge. `data.object.code` is the one-time code.
   *
   * Deliver the code to the subscriber on your own channel. Don't log or store it. Stored events never contain it.
   */
  "cpni.verification.requested": EventOf<"cpni.verification.requested", RequestedCpniVerification>;
  /**
   * Fires when the agent enters the correct code.
   *
   * `agent` is the agent who requested the verification. `submitted_by` is present only if another agent entered the code.
   */
  "cpni.verification.succeeded": EventOf<"cpni.verification.succeeded", SubmittedCpniVerification>;
  /**
   * Fires when the challenge is locked after too many attempts.
   *
   * `agent` is the agent who requested the verification. `submitted_by` is present only if another agent entered the wrong
   * codes.
   */
  "cpni.verification.failed": EventOf<"cpni.verification.failed", SubmittedCpniVerification>;
  /** Fires when an agent asks a supervisor for access without the code. The event carries the agent's reason. */
  "cpni.escalation.requested": EventOf<"cpni.escalation.requested", CpniEscalation>;
  /**
   * Fires when a supervisor approves the request. The agent then has access for a limited time. Use the event to tell the
   * subscriber.
   */
  "cpni.escalation.approved": EventOf<"cpni.escalation.approved", CpniEscalation>;
  /** Fires when a supervisor denies the request. */
  "cpni.escalation.denied": EventOf<"cpni.escalation.denied", CpniEscalation>;
}

/** A dispute of a charge. */
export interface Dispute extends Resource {
  /** The status. The spec shows no value. */
  status?: string | null | undefined;
  /** The reason for the dispute. The bank may have written it, so it is hidden in logs. */
  reason?: string | null | undefined;
}

/** Dispute events, by type. */
export interface DisputeEvents {
  /** Fires when a cardholder disputes a charge with the bank. */
  "dispute.opened": EventOf<"dispute.opened", Dispute>;
  /** Fires when the status or reason of a dispute changes. One such change is an inquiry that becomes a fraud chargeback. */
  "dispute.updated": EventOf<"dispute.updated", Dispute>;
  /** Fires when the bank reaches its final verdict: the dispute is won or lost. */
  "dispute.closed": EventOf<"dispute.closed", Dispute>;
}

/** The screened person, with an email address and a phone number: personal data. */
export interface FraudSubject extends OpenRecord {
  /** The email address. The spec does not name this field. */
  email?: unknown;
  /** The phone number. The spec does not name this field. */
  phone?: unknown;
}

/**
 * The outcome of a screening. The spec does not say whether these fields are in `data` or in `data.object`:
 * `fieldOf(event, "decision")` looks in both.
 */
export interface FraudEvaluation extends Resource {
  /** What to do with the request. The spec shows no value. */
  decision?: string | null | undefined;
  /** The fraud score. The spec states no range. */
  score?: number | null | undefined;
  /** The reasons for the decision. The spec shows no example. */
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
  /** The reasons for the decision. The spec shows no example. */
  reasons?: unknown[] | null | undefined;
  /** The mode of the screening. The spec shows no value. */
  mode?: string | null | undefined;
  /** The screened person: personal data. */
  subject?: FraudSubject | null | undefined;
}

/** Fraud events, by type. */
export interface FraudEvents {
  /**
   * Fires when a signup, an account change or a `POST /v1/fraud/decisions` request is screened. It fires only for operators
   * with fraud screening enabled.
   *
   * The event carries the decision, score, reasons, mode and screened subject. The subject includes an email address and a
   * phone number: treat it as personal data.
   */
  "fraud.evaluated": DataOf<"fraud.evaluated", FraudEvaluationData>;
}

/** A plan: the full public object. */
export interface Plan extends Resource, OpenRecord {}

/** An add-on: the full public object. */
export interface Addon extends Resource, OpenRecord {}

/**
 * Plan events, by type. Each event is emitted in the same transaction as the change to the catalog of plans, and carries the
 * full public object.
 */
export interface PlanEvents {
  /** Fires when a plan is added. */
  "plan.created": EventOf<"plan.created", Plan>;
  /** Fires when the details or price of a plan change. */
  "plan.updated": EventOf<"plan.updated", Plan>;
  /** Fires when a plan is withdrawn from sale. Its subscriptions are not affected. */
  "plan.deleted": EventOf<"plan.deleted", Plan>;
}

/**
 * Add-on events, by type. Each event is emitted in the same transaction as the change to the catalog of add-ons, and carries
 * the full public object.
 */
export interface AddonEvents {
  /** Fires when an add-on is added. */
  "addon.created": EventOf<"addon.created", Addon>;
  /** Fires when the details or price of an add-on change. */
  "addon.updated": EventOf<"addon.updated", Addon>;
  /** Fires when an add-on is withdrawn from sale. Add-ons that are already attached are not affected. */
  "addon.deleted": EventOf<"addon.deleted", Addon>;
}

/** The carrier's code for a stalled port. The spec names no value: these are in use (observed). */
export type PortReasonCode = OpenEnum<"wrong_account_number" | "wrong_pin" | "number_not_portable" | "name_mismatch" | "pending_port">;

/**
 * A port-in or port-out. The spec does not say whether the fields of a stalled one are in `data` or in `data.object`:
 * `fieldOf(event, "status_reason_code")` looks in both.
 */
export interface Port extends Resource {
  /** The reason in the carrier's words. They may name a person, so keep them out of logs. */
  status_reason?: string | null | undefined;
  /** The carrier's code for the reason: branch on this one. The spec names no value: the listed ones are in use (observed). */
  status_reason_code?: PortReasonCode | null | undefined;
  /** When the request was submitted. */
  submitted_at?: string | null | undefined;
  /**
   * The days since the request was submitted: about 21 in `port.resolution_expiring`. About 30 days after submission, a
   * port-in that is still stalled is canceled, and the line is switched off.
   */
  days_since_submitted?: number | null | undefined;
}

/** The data of a stalled port. */
export interface StalledPortData extends EventData<Port> {
  /** The reason in the carrier's words. They may name a person, so keep them out of logs. */
  status_reason?: string | null | undefined;
  /** The carrier's code for the reason: branch on this one. The spec names no value: the listed ones are in use (observed). */
  status_reason_code?: PortReasonCode | null | undefined;
}

/** The data of an expiring port. */
export interface ExpiringPortData extends EventData<Port> {
  /** The reason in the carrier's words. They may name a person, so keep them out of logs. */
  status_reason?: string | null | undefined;
  /** The carrier's code for the reason: branch on this one. The spec names no value: the listed ones are in use (observed). */
  status_reason_code?: PortReasonCode | null | undefined;
  /** When the request was submitted. */
  submitted_at?: string | null | undefined;
  /**
   * The days since the request was submitted: about 21 in `port.resolution_expiring`. About 30 days after submission, a
   * port-in that is still stalled is canceled, and the line is switched off.
   */
  days_since_submitted?: number | null | undefined;
}

/** Port events, by type. A port-in moves a phone number to the service, and a port-out moves it to another carrier. */
export interface PortEvents {
  /** Fires when a port-in request record is created. */
  "port.created": EventOf<"port.created", Port>;
  /** Fires when the service accepts a port-in request. */
  "port.submitted": EventOf<"port.submitted", Port>;
  /** Fires when the carrier is processing a port-in. */
  "port.in_progress": EventOf<"port.in_progress", Port>;
  /**
   * Fires when a port-in is stalled and needs input from the operator or the subscriber.
   *
   * `status_reason` is the carrier's text and `status_reason_code` is its code. Branch on the code.
   */
  "port.resolution_required": DataOf<"port.resolution_required", StalledPortData>;
  /**
   * Fires when a stalled port-in approaches the carrier's deadline. It fires once for each submission, around day 21.
   *
   * At the deadline, about 30 days after submission, the port-in is canceled and the line is switched off. The event carries
   * `status_reason`, `status_reason_code`, `submitted_at` and `days_since_submitted`.
   */
  "port.resolution_expiring": DataOf<"port.resolution_expiring", ExpiringPortData>;
  /** Fires when the transfer of the number is complete. */
  "port.completed": EventOf<"port.completed", Port>;
  /** Fires when a port-in fails. */
  "port.failed": EventOf<"port.failed", Port>;
  /** Fires when a port-in is canceled. */
  "port.cancelled": EventOf<"port.cancelled", Port>;
  /** Fires when the gaining carrier requests the validation of a port-out. */
  "port.out_validation_requested": EventOf<"port.out_validation_requested", Port>;
  /** Fires when a port-out is final and the line has left the service. */
  "port.out_completed": EventOf<"port.out_completed", Port>;
  /**
   * Fires when the losing carrier validates a port-in.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_success": EventOf<"port.validation_success", Port>;
  /**
   * Fires when the losing carrier rejects a port-in.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.validation_failed": EventOf<"port.validation_failed", Port>;
  /**
   * Fires when the carrier schedules the cutover.
   *
   * @deprecated Of an earlier catalog; today's catalog has nothing in its place.
   */
  "port.scheduled": EventOf<"port.scheduled", Port>;
}

/** Port-out events, by type. */
export interface PortOutEvents {
  /**
   * Fires when the gaining carrier requests a port-out.
   *
   * @deprecated Of an earlier catalog; today likely `port.out_validation_requested`.
   */
  "port_out.requested": EventOf<"port_out.requested", Port>;
  /** Fires when a port-out is final. @deprecated Of an earlier catalog; today likely `port.out_completed`. */
  "port_out.completed": EventOf<"port_out.completed", Port>;
}

/** An order of a physical SIM. Only the webhook has the recipient's email address and postal address; stored events lack them. */
export interface PsimOrder extends Resource {
  /** The email address of the recipient: personal data. The spec does not name this field. */
  email?: unknown;
  /** The shipping address of the recipient: personal data. */
  shipping_address?: unknown;
}

/** Physical SIM order events, by type. Only the webhook has the recipient's email and shipping address. */
export interface PsimOrderEvents {
  /**
   * Fires when a paid order is placed and the card is charged.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.paid": EventOf<"psim_order.paid", PsimOrder>;
  /**
   * Fires when a free order is placed.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.created": EventOf<"psim_order.created", PsimOrder>;
  /**
   * Fires when the charge of an order is refunded, or when a paid order is canceled.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.refunded": EventOf<"psim_order.refunded", PsimOrder>;
  /**
   * Fires when a free order is canceled.
   *
   * Only the webhook has the recipient's email and shipping address: the stored event has them redacted.
   */
  "psim_order.canceled": EventOf<"psim_order.canceled", PsimOrder>;
}

/** A referral. It carries public ids and no personal data. */
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
  /** The amount, in cents. It does not change after the reward is earned. */
  amount_cents: number;
}

/** A reward whose credit was applied. */
export interface FulfilledReward extends ReferralReward {
  /**
   * The reference of the credit. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "credit_ref")` looks in both.
   */
  credit_ref?: string | null | undefined;
}

/** The data of a reward whose credit was applied. */
export interface FulfilledRewardData extends EventData<FulfilledReward> {
  /**
   * The reference of the credit. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "credit_ref")` looks in both.
   */
  credit_ref?: string | null | undefined;
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
   * The referee canceled, a counted invoice was refunded, the referrer is no longer a customer, a cap was reached, or
   * the referral was voided.
   */
  reason?: string | null | undefined;
}

/** Referral events, by type. These events fire only if the referrals product is switched on for the operator. */
export interface ReferralEvents {
  /** Fires when a signup is attributed to a referral code. No money has moved yet. */
  "referral.created": EventOf<"referral.created", Referral>;
  /**
   * Fires when the amount of a reward step is decided. The amount does not change afterwards.
   *
   * `data.object` carries `referral_id`, `step_index`, `recipient`, `amount_cents` and the invoice that triggered the
   * reward.
   */
  "referral.reward.earned": EventOf<"referral.reward.earned", ReferralReward>;
  /**
   * Fires when the credit of a reward is applied. The event carries `credit_ref`.
   *
   * `balance.credited` with the `kind` `referral` also fires for the same money: use only one of the two for accounting.
   */
  "referral.reward.fulfilled": DataOf<"referral.reward.fulfilled", FulfilledRewardData>;
  /**
   * Fires when a reward step can no longer be earned.
   *
   * The reason is one of these: the referee canceled, a counted invoice was refunded, the referrer is no longer a customer,
   * a cap was reached, or the referral was voided.
   */
  "referral.reward.forfeited": EventOf<"referral.reward.forfeited", ForfeitedReward>;
  /** Fires when every reward step has a final outcome. */
  "referral.completed": EventOf<"referral.completed", Referral>;
  /** Fires when an operator reverses a mistaken attribution. The reason is recorded. */
  "referral.voided": EventOf<"referral.voided", Referral>;
}

/** A card of the stock, or a batch of them. */
export interface SimInventory extends Resource, OpenRecord {}

/** A card that was withdrawn. */
export interface QuarantinedCard extends SimInventory {
  /**
   * Why the card was withdrawn. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "quarantine_reason")` looks in both.
   */
  quarantine_reason?: string | null | undefined;
}

/** The data of `sim_inventory.quarantined`. */
export interface QuarantinedCardData extends EventData<QuarantinedCard> {
  /**
   * Why the card was withdrawn. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "quarantine_reason")` looks in both.
   */
  quarantine_reason?: string | null | undefined;
}

/** A stock that has reached its low-stock threshold. */
export interface LowStock extends SimInventory {
  /**
   * The number of cards left for this carrier connection and card type. The spec does not say whether it is in `data` or in
   * `data.object`: `fieldOf(event, "available")` looks in both.
   */
  available?: number | null | undefined;
  /**
   * The low-stock threshold. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "threshold")` looks in both.
   */
  threshold?: number | null | undefined;
}

/** The data of `sim_inventory.low_stock`. */
export interface LowStockData extends EventData<LowStock> {
  /**
   * The number of cards left for this carrier connection and card type. The spec does not say whether it is in `data` or in
   * `data.object`: `fieldOf(event, "available")` looks in both.
   */
  available?: number | null | undefined;
  /**
   * The low-stock threshold. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "threshold")` looks in both.
   */
  threshold?: number | null | undefined;
}

/** SIM inventory events, by type. The inventory is the stock of cards for new SIMs. */
export interface SimInventoryEvents {
  /** Fires when a batch of cards is loaded, once for each import. */
  "sim_inventory.imported": EventOf<"sim_inventory.imported", SimInventory>;
  /** Fires when a card is drawn for a new SIM. */
  "sim_inventory.claimed": EventOf<"sim_inventory.claimed", SimInventory>;
  /** Fires when a claimed card returns to the pool because the port-in of its SIM was canceled or failed. */
  "sim_inventory.released": EventOf<"sim_inventory.released", SimInventory>;
  /** Fires when a card is withdrawn permanently. The event carries `quarantine_reason`. */
  "sim_inventory.quarantined": DataOf<"sim_inventory.quarantined", QuarantinedCardData>;
  /**
   * Fires when a claim brings the number of available cards down to exactly the low-stock threshold, for that carrier
   * connection and card type. It fires only when the threshold is crossed. The event carries `available` and `threshold`.
   */
  "sim_inventory.low_stock": DataOf<"sim_inventory.low_stock", LowStockData>;
}

/** The state of a SIM. */
export type SimState = OpenEnum<"provisioned" | "active" | "suspended" | "deactivated">;

/** A limit of the video quality. */
export type VideoQuality = OpenEnum<"480p">;

/** The metadata of a SIM. The spec says only that it may hold `carrier_held_until`. */
export interface SimMetadata extends OpenRecord {
  /** When the number hold ends. */
  carrier_held_until?: string | null | undefined;
}

/** A SIM. */
export interface Sim extends Resource {
  /** The state of the SIM. The spec does not say that the list is complete. */
  state?: SimState | null | undefined;
  /** The spec says only that it may hold `carrier_held_until`. */
  metadata?: SimMetadata | null | undefined;
  /**
   * The id of the subscriber; in `sim.reassigned`, the payer. `sim.linked` carries the target of the link in this field or in
   * `holder_subscriber_id`: the spec names neither.
   */
  subscriber_id?: string | null | undefined;
  /** The member who uses the line. */
  holder_subscriber_id?: string | null | undefined;
  /** The id of the subscription; `null` if there is none. */
  subscription_id?: string | null | undefined;
  /** The id of the line in a group subscription; `null` if there is none. */
  subscription_line_id?: string | null | undefined;
  /** An external id of the subscriber. The spec does not show its form: it may be an email address, so it is hidden in logs. */
  external_subscriber_id?: string | null | undefined;
  /** The status of the subscription. The service may add values: `canceled` and `draft` are in use (observed). */
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
   * Absent if the endpoint's `enabled_events` has only `*`; present if it has the type itself or `sim.*`.
   */
  activation_code?: Secret | null | undefined;
}

/** What a cleared SIM was bound to. A field is `null` if the SIM was not bound to such a record. */
export interface ClearedSimBefore extends OpenRecord {
  /** The previous subscriber; `null` if there was none. */
  subscriber_id: string | null;
  /** The previous subscription; `null` if there was none. */
  subscription_id: string | null;
  /** The previous line; `null` if there was none. */
  subscription_line_id: string | null;
  /** The previous phone number: personal data. */
  msisdn: string | null;
}

/** The data of a SIM that was cleared. */
export interface ClearedSimData extends ChangeData<Sim, ClearedSimBefore> {
  /**
   * The state after the release: `deactivated` or `provisioned`. The spec puts it here. `data.object.state` is the state
   * in the snapshot.
   */
  state?: SimState | null | undefined;
}

/** The placement of a reassigned SIM. `reassignmentOf` reads it as the spec advises. */
export interface ReassignedSim extends Sim {
  /** The payer. */
  subscriber_id: string;
  /** The member who uses the line. Mirror this subscriber. */
  holder_subscriber_id: string;
  /** The subscription that the SIM now belongs to. */
  subscription_id: string;
  /** The line that the SIM now belongs to; `null` if there is none. */
  subscription_line_id: string | null;
  /** An external id of the subscriber. The spec does not show its form: it may be an email address, so it is hidden in logs. */
  external_subscriber_id: string | null;
  /** Take the new status from here. `canceled` and `draft` are in use beside the values of the spec (observed). */
  subscription_status: SubscriptionStatus;
}

/** Where a reassigned SIM was before. */
export interface ReassignedSimBefore extends OpenRecord {
  /** The previous payer. */
  subscriber_id: string | null;
  /** The previous subscription. */
  subscription_id: string | null;
  /** The previous line; `null` if there was none. */
  subscription_line_id: string | null;
  /** Re-point a mirrored subscription only when this is `cancelled`. It may be spelled `canceled` (observed). */
  subscription_status: SubscriptionStatus | null;
}

/** A SIM whose scam blocking was switched on or off. */
export interface ScamBlockSim extends Sim {
  /** Whether scam blocking is on now. `fieldOf(event, "scam_block_enabled")` reads it from the object or from `data`. */
  scam_block_enabled?: boolean | null | undefined;
}

/** The data of `sim.scam_block_changed`. */
export interface ScamBlockSimData extends EventData<ScamBlockSim> {
  /** Whether scam blocking is on now. `fieldOf(event, "scam_block_enabled")` reads it from the object or from `data`. */
  scam_block_enabled?: boolean | null | undefined;
}

/** A SIM whose video quality changed. */
export interface VideoQualitySim extends Sim {
  /** The video quality now. `fieldOf(event, "video_quality")` reads it from the object or from `data`, like the other two. */
  video_quality?: VideoQuality | null | undefined;
  /** The previous video quality. */
  previous_video_quality?: VideoQuality | null | undefined;
  /** Whether the quality was lowered because of data use and has not been raised again. */
  video_stepped_down?: boolean | null | undefined;
}

/** The data of `sim.video_quality_changed`. */
export interface VideoQualitySimData extends EventData<VideoQualitySim> {
  /** The video quality now. `fieldOf(event, "video_quality")` reads it from the object or from `data`, like the other two. */
  video_quality?: VideoQuality | null | undefined;
  /** The previous video quality. */
  previous_video_quality?: VideoQuality | null | undefined;
  /** Whether the quality was lowered because of data use and has not been raised again. */
  video_stepped_down?: boolean | null | undefined;
}

/** A SIM whose priority service code changed. */
export interface PrioritySim extends Sim {
  /**
   * The priority service code now. The spec does not show its form. `fieldOf(event, "wps")` reads it from the object or from
   * `data`.
   */
  wps?: unknown;
}

/** The data of `sim.wps_changed`. */
export interface PrioritySimData extends EventData<PrioritySim> {
  /**
   * The priority service code now. The spec does not show its form. `fieldOf(event, "wps")` reads it from the object or from
   * `data`.
   */
  wps?: unknown;
}

/** A SIM that lost a part of its data boost. */
export interface ReducedBoostSim extends Sim {
  /** The remaining boost, in megabytes. `fieldOf(event, "boost_mb")` reads it from the object or from `data`. */
  boost_mb?: number | null | undefined;
  /** The part that was taken back, in megabytes. `fieldOf(event, "boost_mb_removed")` reads it from either place. */
  boost_mb_removed?: number | null | undefined;
}

/** The data of `sim.boost_reduced`. */
export interface ReducedBoostSimData extends EventData<ReducedBoostSim> {
  /** The remaining boost, in megabytes. `fieldOf(event, "boost_mb")` reads it from the object or from `data`. */
  boost_mb?: number | null | undefined;
  /** The part that was taken back, in megabytes. `fieldOf(event, "boost_mb_removed")` reads it from either place. */
  boost_mb_removed?: number | null | undefined;
}

/** A SIM for which an eSIM profile was issued. */
export interface ProfileSim extends Sim {
  /** When the profile expires. `fieldOf(event, "profile_expires_at")` reads it from the object or from `data`. */
  profile_expires_at?: string | null | undefined;
}

/** The data of `sim.esim_profile_downloaded`. */
export interface ProfileSimData extends EventData<ProfileSim> {
  /** When the profile expires. `fieldOf(event, "profile_expires_at")` reads it from the object or from `data`. */
  profile_expires_at?: string | null | undefined;
}

/** SIM events, by type. */
export interface SimEvents {
  /**
   * Fires when a SIM record is created and provisioned.
   *
   * The body lacks `activation_code` if the endpoint's `enabled_events` has only `*`.
   */
  "sim.provisioned": EventOf<"sim.provisioned", InstallableSim>;
  /** Fires when an existing SIM is imported in a migration. */
  "sim.imported": EventOf<"sim.imported", Sim>;
  /** Fires when activation is requested from the carrier. */
  "sim.activation_started": EventOf<"sim.activation_started", Sim>;
  /**
   * Fires when the carrier confirms activation.
   *
   * The body lacks `activation_code` if the endpoint's `enabled_events` has only `*`.
   */
  "sim.activated": EventOf<"sim.activated", InstallableSim>;
  /** Fires when the carrier rejects activation. */
  "sim.activation_failed": EventOf<"sim.activation_failed", Sim>;
  /** Fires when activation is stalled and the operator must resolve it. */
  "sim.activation_resolution_required": EventOf<"sim.activation_resolution_required", Sim>;
  /** Fires when a SIM is suspended. */
  "sim.suspended": EventOf<"sim.suspended", Sim>;
  /** Fires when a suspended SIM becomes active again. */
  "sim.restored": EventOf<"sim.restored", Sim>;
  /** Fires when a SIM is deactivated permanently. */
  "sim.deactivated": EventOf<"sim.deactivated", Sim>;
  /**
   * Fires when a SIM is released to unassigned stock: an operator cleared it, or its card became free after an abandoned
   * port-in.
   *
   * `data.state` is `deactivated` or `provisioned`. `metadata.carrier_held_until` is the end of a number hold.
   * `previous_attributes` holds `subscriber_id`, `subscription_id`, `subscription_line_id` (`null` if there was none) and
   * `msisdn`.
   */
  "sim.cleared": DataOf<"sim.cleared", ClearedSimData>;
  /**
   * Fires when a SIM from unassigned stock is linked to a subscriber. The event carries the target of the link: on a group
   * line, the member and not the payer.
   */
  "sim.linked": EventOf<"sim.linked", Sim>;
  /**
   * Fires when the service records a fresh read from the carrier. It fires on every sync, even if nothing changed, and in
   * addition to any `sim.suspended` or `sim.deactivated` event for a change that the sync found.
   */
  "sim.synced": EventOf<"sim.synced", Sim>;
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * The body lacks `activation_code` if the endpoint's `enabled_events` has only `*`.
   */
  "sim.swapped": EventOf<"sim.swapped", InstallableSim>;
  /**
   * Fires when the placement of a SIM changes: it was reassigned explicitly, or reused by a new subscription.
   *
   * The object carries `subscriber_id` (the payer), `holder_subscriber_id` (the member who uses the line),
   * `subscription_id`, `subscription_line_id`, `external_subscriber_id` and `subscription_status`. `previous_attributes`
   * carries the old `subscription_id`, `subscriber_id`, `subscription_line_id` and `subscription_status`.
   *
   * To mirror the end user, read `holder_subscriber_id`. Re-point a mirrored subscription only if
   * `previous_attributes.subscription_status` is `cancelled`, and take the new status from `subscription_status`.
   * `reassignmentOf` does this.
   */
  "sim.reassigned": ChangeOf<"sim.reassigned", ReassignedSim, ReassignedSimBefore>;
  /** Fires when the SIM's provisioned products change. */
  "sim.products_updated": EventOf<"sim.products_updated", Sim>;
  /**
   * Fires when scam blocking is switched on or off. The event carries `scam_block_enabled`. It fires only on plans that
   * include scam protection.
   */
  "sim.scam_block_changed": DataOf<"sim.scam_block_changed", ScamBlockSimData>;
  /**
   * Fires when the video quality changes because the plan sets `video_step_down_after_mb`. The quality is lowered to 480p
   * when the data use of the cycle reaches that limit. The next cycle or a data boost raises it again.
   *
   * The event carries `video_quality`, `previous_video_quality` and `video_stepped_down`.
   */
  "sim.video_quality_changed": DataOf<"sim.video_quality_changed", VideoQualitySimData>;
  /** Fires when the priority service code changes. The event carries `wps`. */
  "sim.wps_changed": DataOf<"sim.wps_changed", PrioritySimData>;
  /** Fires when the MSISDN changes. */
  "sim.msisdn_changed": EventOf<"sim.msisdn_changed", Sim>;
  /** Fires when a data boost is applied. */
  "sim.boosted": EventOf<"sim.boosted", Sim>;
  /** Fires when the time of a data boost ends, or when a whole grant is reversed. */
  "sim.boost_expired": EventOf<"sim.boost_expired", Sim>;
  /** Fires when part of an accumulated boost is taken back. The event carries `boost_mb` and `boost_mb_removed`. */
  "sim.boost_reduced": DataOf<"sim.boost_reduced", ReducedBoostSimData>;
  /** Fires when an eSIM profile is issued. The event carries the SIM and `profile_expires_at`, never the profile. */
  "sim.esim_profile_downloaded": DataOf<"sim.esim_profile_downloaded", ProfileSimData>;
  /** Fires when a SIM is throttled because it crossed a usage cap. */
  "sim.throttled": EventOf<"sim.throttled", Sim>;
  /** Fires when throttling is lifted, by a new cycle or manually. */
  "sim.throttle_cleared": EventOf<"sim.throttle_cleared", Sim>;
  /**
   * Fires when a port-out PIN is generated.
   *
   * The object may contain the PIN: keep all of it out of logs.
   */
  "sim.port_out_pin_generated": EventOf<"sim.port_out_pin_generated", Sim>;
  /** Fires when the port-out PIN is cleared. */
  "sim.port_out_pin_cleared": EventOf<"sim.port_out_pin_cleared", Sim>;
  /** Fires when a SIM record is created. @deprecated Of an earlier catalog; today likely `sim.provisioned`. */
  "sim.ordered": EventOf<"sim.ordered", Sim>;
  /** Fires when a SIM becomes active again. @deprecated Of an earlier catalog; today likely `sim.restored`. */
  "sim.reinstated": EventOf<"sim.reinstated", Sim>;
  /** Fires when a new SIM takes over the MSISDN. @deprecated Of an earlier catalog; today likely `sim.swapped`. */
  "sim.swap_completed": EventOf<"sim.swap_completed", Sim>;
}

/** A text message from a subscriber. All of it is personal data. */
export interface InboundMessage extends Resource, OpenRecord {}

/** SMS events, by type. */
export interface SmsEvents {
  /** Fires when a subscriber texts the short code. The payload is the `inbound_message`. The service does not reply to it. */
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
  /** The lock against SIM swaps and port-outs: `user_initiated_lock` means on, `unlocked` means off. */
  locked_status?: LockedStatus | null | undefined;
  /** The end of the block: until then, the subscriber cannot add a card. */
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
  /**
   * The end of the block: until then, the subscriber cannot add a card. The spec does not say whether it is in `data` or in
   * `data.object`: `fieldOf(event, "payment_updates_blocked_until")` looks in both.
   */
  payment_updates_blocked_until?: string | null | undefined;
  /**
   * Why the subscriber cannot add a card. Hidden in logs. `fieldOf(event, "payment_updates_blocked_reason")` looks in both
   * places.
   */
  payment_updates_blocked_reason?: string | null | undefined;
}

/** The data of `subscriber.payment_updates_blocked`. */
export interface BlockedSubscriberData extends EventData<BlockedSubscriber> {
  /**
   * The end of the block: until then, the subscriber cannot add a card. The spec does not say whether it is in `data` or in
   * `data.object`: `fieldOf(event, "payment_updates_blocked_until")` looks in both.
   */
  payment_updates_blocked_until?: string | null | undefined;
  /**
   * Why the subscriber cannot add a card. Hidden in logs. `fieldOf(event, "payment_updates_blocked_reason")` looks in both
   * places.
   */
  payment_updates_blocked_reason?: string | null | undefined;
}

/** The previous values of the fields that changed; contact fields are redacted. */
export interface SubscriberBefore extends OpenRecord {
  /** Redacted, as are `phone` and `date_of_birth`. The spec does not show what a redacted value looks like. */
  email?: unknown;
  /** Redacted. */
  phone?: unknown;
  /** Redacted. */
  date_of_birth?: unknown;
  /** The previous state of the lock. */
  locked_status?: LockedStatus | null | undefined;
  /** The previous end of the block. */
  payment_updates_blocked_until?: string | null | undefined;
  /** The previous reason for the block. Hidden in logs. */
  payment_updates_blocked_reason?: string | null | undefined;
}

/** The data of an erasure. The spec says that both fields are present, but states neither name nor form. */
export interface RedactedData extends EventData<Subscriber> {
  /** The scopes of the erasure. The spec neither names this field nor shows its form. */
  scopes?: unknown;
  /** The fields that were cleared. The spec neither names this field nor shows its form. */
  cleared_fields?: unknown;
}

/** A billing, shipping or e911 address. All of it is personal data. */
export interface Address extends Resource, OpenRecord {}

/** Subscriber events, by type. These events never contain personal data: `email`, `phone` and `date_of_birth` are `null`. */
export interface SubscriberEvents {
  /**
   * Fires when a subscriber is created through `POST /v1/subscribers` or by a migration import. For an import,
   * `data.imported` is `true`.
   */
  "subscriber.created": EventOf<"subscriber.created", Subscriber>;
  /** Fires when the lock against SIM swaps and port-outs is turned on. */
  "subscriber.locked": EventOf<"subscriber.locked", SubscriberWithLock>;
  /** Fires when the lock against SIM swaps and port-outs is turned off. */
  "subscriber.unlocked": EventOf<"subscriber.unlocked", SubscriberWithLock>;
  /**
   * Fires when any field of the record changes. A request that changes nothing emits no event. Changes to the lock and to
   * the payment block also emit their own events.
   *
   * `previous_attributes` holds the previous values of the fields that changed. Its contact fields are redacted.
   */
  "subscriber.updated": ChangeOf<"subscriber.updated", Subscriber, SubscriberBefore>;
  /** Fires when a subscriber without billing history is deleted. The event carries the full snapshot. */
  "subscriber.deleted": EventOf<"subscriber.deleted", Subscriber>;
  /**
   * Fires when a right-to-erasure request has been carried out. The record, the invoices and the payment history remain. The
   * data names the scopes and the cleared fields.
   */
  "subscriber.redacted": DataOf<"subscriber.redacted", RedactedData>;
  /**
   * Fires when a subscriber is blocked from adding a card for a period, after a decline that looked fraudulent. It fires
   * again when the block is renewed for another period.
   *
   * The event carries `payment_updates_blocked_until` and `payment_updates_blocked_reason`.
   */
  "subscriber.payment_updates_blocked": DataOf<"subscriber.payment_updates_blocked", BlockedSubscriberData>;
  /** Fires when the block on adding a card is lifted before it ends. */
  "subscriber.payment_updates_unblocked": EventOf<"subscriber.payment_updates_unblocked", Subscriber>;
}

/** Address events, by type. */
export interface AddressEvents {
  /**
   * Fires when a billing, shipping or e911 address is created or changed. If an e911 address changed, the carrier has
   * already accepted the change.
   */
  "address.updated": EventOf<"address.updated", Address>;
}

/** The status of a subscription. `canceled` and `draft` are also in use (observed). */
export type SubscriptionStatus = OpenEnum<"active" | "paused" | "past_due" | "cancelled" | "canceled" | "terminated" | "pending_activation" | "draft">;

/** A subscription. */
export interface Subscription extends Resource {
  /** The status of the subscription. The service may add values: `canceled` and `draft` are in use (observed). */
  status?: SubscriptionStatus | null | undefined;
}

/** A group subscription that a member left. */
export interface RemovedLine extends Subscription {
  /**
   * Why the member leaves. The spec does not say whether it is in `data` or in `data.object`: `fieldOf(event, "reason")`
   * looks in both.
   */
  reason?: OpenEnum<"requested" | "scheduled" | "port_out"> | null | undefined;
}

/** The data of a member that was removed from a group. */
export interface RemovedLineData extends EventData<RemovedLine> {
  /**
   * Why the member leaves. The spec does not say whether it is in `data` or in `data.object`: `fieldOf(event, "reason")`
   * looks in both.
   */
  reason?: OpenEnum<"requested" | "scheduled" | "port_out"> | null | undefined;
}

/** A group subscription that a member will leave. */
export interface DepartingLine extends Subscription {
  /**
   * When the member leaves: the end of the paid term. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "departs_at")` looks in both.
   */
  departs_at?: string | null | undefined;
}

/** The data of a member that will leave a group. */
export interface DepartingLineData extends EventData<DepartingLine> {
  /**
   * When the member leaves: the end of the paid term. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "departs_at")` looks in both.
   */
  departs_at?: string | null | undefined;
}

/** A subscription that is about to renew. */
export interface RenewingSubscription extends Subscription {
  /**
   * Net amount, renewal date and card, and one entry per seat on a group. The spec does not say whether it is in `data` or
   * in `data.object`: `fieldOf(event, "subscription_renewal")` looks in both.
   */
  subscription_renewal?: OpenRecord | null | undefined;
}

/** The data of a subscription that renews soon. */
export interface RenewingSubscriptionData extends EventData<RenewingSubscription> {
  /**
   * Net amount, renewal date and card, and one entry per seat on a group. The spec does not say whether it is in `data` or
   * in `data.object`: `fieldOf(event, "subscription_renewal")` looks in both.
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
   * Fires when a subscription is created through the API or by a migration import. For an import, `data.imported` is `true`.
   *
   * An earlier catalog reserves this type and does not emit it.
   */
  "subscription.created": EventOf<"subscription.created", Subscription>;
  /**
   * Fires when a status or a pending plan change is reconciled and no other event reports it, such as when a scheduled
   * downgrade is set or cleared. It also fires together with `subscription.line_added`.
   */
  "subscription.updated": EventOf<"subscription.updated", Subscription>;
  /** Fires when a plan change applies: an upgrade at once, a scheduled downgrade at renewal. */
  "subscription.plan_switched": EventOf<"subscription.plan_switched", Subscription>;
  /**
   * Fires when a member joins a group subscription, once for each line and together with `subscription.updated`. The event
   * names the line and the member.
   */
  "subscription.line_added": EventOf<"subscription.line_added", Subscription>;
  /**
   * Fires when a member leaves a group subscription, once for each line. The reason is `requested`, `scheduled`, `port_out`
   * or `null`.
   */
  "subscription.line_removed": DataOf<"subscription.line_removed", RemovedLineData>;
  /** Fires when a member is scheduled to leave at the end of a paid term. The event carries `departs_at`. */
  "subscription.line.removal_scheduled": DataOf<"subscription.line.removal_scheduled", DepartingLineData>;
  /** Fires when the payer cancels the scheduled removal of a member. The member stays. */
  "subscription.line.removal_canceled": EventOf<"subscription.line.removal_canceled", Subscription>;
  /**
   * Fires when a scheduled change cannot be applied at renewal and never will be. The change is the downgrade of a
   * member, or the switch of one line to another billing period when the whole group switches.
   *
   * `data.scheduled_change.reason` says why.
   */
  "subscription.scheduled_change_failed": DataOf<"subscription.scheduled_change_failed", ScheduledChangeData>;
  /**
   * Fires when billing is put on hold. The subscription is paused, and its SIMs keep working.
   *
   * A void collection pause appears on the object. The spec does not name its field.
   */
  "subscription.paused": EventOf<"subscription.paused", Subscription>;
  /** Fires when billing restarts. The subscription is active again, and its collection pause is cleared. */
  "subscription.resumed": EventOf<"subscription.resumed", Subscription>;
  /** Fires when the status of a subscription becomes `cancelled`. */
  "subscription.cancelled": EventOf<"subscription.cancelled", Subscription>;
  /**
   * Fires when the status of a subscription becomes `terminated`.
   *
   * An earlier catalog reserves this type: nothing triggers it there.
   */
  "subscription.terminated": EventOf<"subscription.terminated", Subscription>;
  /** Fires when a payment is overdue. */
  "subscription.past_due": EventOf<"subscription.past_due", Subscription>;
  /** Fires when payment retries are exhausted and collection has stopped. The status does not change. */
  "subscription.unpaid": EventOf<"subscription.unpaid", Subscription>;
  /** Fires when a `past_due` subscription becomes active again after a successful payment. */
  "subscription.recovered": EventOf<"subscription.recovered", Subscription>;
  /** Fires when an add-on is attached to a subscription. */
  "subscription.addon_added": EventOf<"subscription.addon_added", Subscription>;
  /** Fires when an add-on is removed from a subscription. */
  "subscription.addon_removed": EventOf<"subscription.addon_removed", Subscription>;
  /** Fires when an add-on with a limited term reaches the end of its term. */
  "subscription.addon_expired": EventOf<"subscription.addon_expired", Subscription>;
  /**
   * Fires when a prepaid term of 3, 6 or 12 months is about to renew in one charge. Monthly subscriptions never emit it:
   * they emit `invoice.upcoming`.
   *
   * The operator settings `renewal_reminder_lead_days` and `renewal_reminder_lead_days_annual` set how long before the
   * renewal it fires. The event carries `subscription_renewal`: the net amount, the renewal date, the card, and one entry
   * for each seat of a group.
   */
  "subscription.renewal_upcoming": DataOf<"subscription.renewal_upcoming", RenewingSubscriptionData>;
}

/** What a usage event carries. The spec shows no field of it. */
export interface Usage extends Resource, OpenRecord {}

/** Usage events, by type. */
export interface UsageEvents {
  /** Fires when a configured data threshold is crossed. */
  "usage.data_threshold_crossed": EventOf<"usage.data_threshold_crossed", Usage>;
  /** Fires when a configured voice threshold is crossed. */
  "usage.voice_threshold_crossed": EventOf<"usage.voice_threshold_crossed", Usage>;
  /** Fires when a configured SMS threshold is crossed. */
  "usage.sms_threshold_crossed": EventOf<"usage.sms_threshold_crossed", Usage>;
  /** Fires when the carrier reports that the international calling allowance is running out or used up. */
  "usage.intl_voice_threshold_crossed": EventOf<"usage.intl_voice_threshold_crossed", Usage>;
  /** Fires when the carrier reports that the international roaming allowance is running out or used up. */
  "usage.intl_roaming_threshold_crossed": EventOf<"usage.intl_roaming_threshold_crossed", Usage>;
  /** Fires when the carrier reports that the international texting allowance is running out or used up. */
  "usage.intl_sms_threshold_crossed": EventOf<"usage.intl_sms_threshold_crossed", Usage>;
  /** Fires when a SIM moves from one throttle tier to another. */
  "usage.tier_changed": EventOf<"usage.tier_changed", Usage>;
  /** Fires when a new billing cycle starts and the counters are reset. */
  "usage.cycle_rolled_over": EventOf<"usage.cycle_rolled_over", Usage>;
  /**
   * Fires when a configured data, voice or SMS threshold is crossed.
   *
   * @deprecated Of an earlier catalog; today likely `usage.data_threshold_crossed`,
   * `usage.voice_threshold_crossed` and `usage.sms_threshold_crossed`.
   */
  "usage.threshold_crossed": EventOf<"usage.threshold_crossed", Usage>;
}

/** A webhook endpoint, with its id only. */
export interface WebhookEndpoint extends Resource, OpenRecord {}

/** Webhook endpoint events, by type. */
export interface WebhookEndpointEvents {
  /** Fires when you send a test event to an endpoint from the dashboard. The event carries only the id of the endpoint. */
  "webhook_endpoint.test": EventOf<"webhook_endpoint.test", WebhookEndpoint>;
}

/** Event delivery events, by type. */
export interface EventEvents {
  /**
   * Fires when a webhook endpoint is dead-lettered.
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

/** The types by pattern of whole parts. */
export interface PatternMap {
  /** All events whose type begins with `addon.`. */
  "addon.*": keyof AddonEvents;
  /** All events whose type begins with `address.`. */
  "address.*": keyof AddressEvents;
  /** All events whose type begins with `balance.`. */
  "balance.*": keyof BalanceEvents;
  /** All events whose type begins with `carrier_connection.`. */
  "carrier_connection.*": keyof CarrierConnectionEvents;
  /** All events whose type begins with `cpni.`. */
  "cpni.*": keyof CpniEvents;
  /** All events whose type begins with `cpni.verification.`. */
  "cpni.verification.*":
    | "cpni.verification.requested"
    | "cpni.verification.succeeded"
    | "cpni.verification.failed";
  /** All events whose type begins with `cpni.escalation.`. */
  "cpni.escalation.*":
    | "cpni.escalation.requested"
    | "cpni.escalation.approved"
    | "cpni.escalation.denied";
  /** All events whose type begins with `discount.`. */
  "discount.*": keyof DiscountEvents;
  /** All events whose type begins with `dispute.`. */
  "dispute.*": keyof DisputeEvents;
  /** All events whose type begins with `event.`. */
  "event.*": keyof EventEvents;
  /** All events whose type begins with `fraud.`. */
  "fraud.*": keyof FraudEvents;
  /** All events whose type begins with `invoice.`. */
  "invoice.*": keyof InvoiceEvents;
  /** All events whose type begins with `payment.`. */
  "payment.*": keyof PaymentEvents;
  /** All events whose type begins with `payment_connection.`. */
  "payment_connection.*": keyof PaymentConnectionEvents;
  /** All events whose type begins with `payment_method.`. */
  "payment_method.*": keyof PaymentMethodEvents;
  /** All events whose type begins with `plan.`. */
  "plan.*": keyof PlanEvents;
  /** All events whose type begins with `port.`. */
  "port.*": keyof PortEvents;
  /** All events whose type begins with `port_out.`. */
  "port_out.*": keyof PortOutEvents;
  /** All events whose type begins with `psim_order.`. */
  "psim_order.*": keyof PsimOrderEvents;
  /** All events whose type begins with `referral.`. */
  "referral.*": keyof ReferralEvents;
  /** All events whose type begins with `referral.reward.`. */
  "referral.reward.*":
    | "referral.reward.earned"
    | "referral.reward.fulfilled"
    | "referral.reward.forfeited";
  /** All events whose type begins with `sim.`. */
  "sim.*": keyof SimEvents;
  /** All events whose type begins with `sim_inventory.`. */
  "sim_inventory.*": keyof SimInventoryEvents;
  /** All events whose type begins with `sms.`. */
  "sms.*": keyof SmsEvents;
  /** All events whose type begins with `subscriber.`. */
  "subscriber.*": keyof SubscriberEvents;
  /** All events whose type begins with `subscription.`. */
  "subscription.*": keyof SubscriptionEvents;
  /** All events whose type begins with `subscription.line.`. */
  "subscription.line.*":
    | "subscription.line.removal_scheduled"
    | "subscription.line.removal_canceled";
  /** All events whose type begins with `usage.`. */
  "usage.*": keyof UsageEvents;
  /** All events whose type begins with `webhook_endpoint.`. */
  "webhook_endpoint.*": keyof WebhookEndpointEvents;
}

/** The names of the secret fields, by event type. */
export interface SecretFieldMap {
  "cpni.verification.requested": "code";
  "sim.provisioned": "activation_code";
  "sim.activated": "activation_code";
  "sim.swapped": "activation_code";
}
