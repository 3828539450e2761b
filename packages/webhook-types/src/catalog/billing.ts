import type { OpenEnum } from "@fieldmesh/core";
import type { ChangeOf, EventOf, OpenRecord, Resource } from "./envelope.ts";

export interface Invoice extends Resource {
  status?: string | null | undefined;
  /**
   * A page that needs no login. The link lives 90 days and answers 410 afterwards: read it fresh from the API when you
   * send it. On invoices from before document rendering it is the payment provider's own page.
   */
  hosted_invoice_url?: string | null | undefined;
  /**
   * The PDF; `null` until it is rendered, which `invoice.document_ready` announces. The link lives 90 days and answers
   * 410 afterwards: read it fresh from the API when you send it.
   */
  document_url?: string | null | undefined;
}

/** A preview: an invoice that does not exist yet, and has no `id`. */
export interface UpcomingInvoice extends OpenRecord {
  status: OpenEnum<"upcoming">;
}

export interface DocumentedInvoice extends Invoice {
  /** Lives 90 days and answers 410 afterwards: read it fresh from the API when you send it. */
  hosted_invoice_url: string;
  /** Lives 90 days and answers 410 afterwards: read it fresh from the API when you send it. */
  document_url: string;
}

export interface Payment extends Resource {}

export interface PaymentMethod extends Resource {
  is_default?: boolean | null | undefined;
  card_brand?: string | null | undefined;
  card_last4?: string | null | undefined;
  card_exp_month?: number | string | null | undefined;
  card_exp_year?: number | string | null | undefined;
}

/** Either `is_default`, which was `false`, or one or more of the card's details. */
export interface PaymentMethodBefore extends OpenRecord {
  is_default?: boolean | undefined;
  card_brand?: string | null | undefined;
  card_last4?: string | null | undefined;
  card_exp_month?: number | string | null | undefined;
  card_exp_year?: number | string | null | undefined;
}

export interface BalanceCredit extends Resource {
  /** With `referral` the same money is announced by `referral.reward.fulfilled` too. */
  kind?: OpenEnum<"referral"> | null | undefined;
}

export interface DiscountCredit extends Resource {}

/** Invoice events, by type. */
export interface InvoiceEvents {
  /**
   * Fires three days before the next billing cycle; a preview invoice object (status upcoming, no
   * id); pre-tax amount covering every seat, add-ons due, and carried credit.
   *
   * Sandbox subscriptions always get it; live ones once they are billed by the service itself, and
   * none while the payment processor bills them. `GET /v1/subscriptions/{id}/renewal` answers the
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
