import * as z from "zod/mini";
import {
  changeData,
  eventData,
  guess,
  maybeBoolean,
  maybeString,
  open,
  openEnum,
  resource,
  sensitive,
  shared,
} from "../fields.ts";

/** Signed: anyone who has it reads the invoice without a login for 90 days. */
const link = () => sensitive("personal", z.string());
const monthOrYear = () => guess(z.nullish(z.union([z.number(), z.string()])));
const cardDetails = () => ({
  /** The brand of the card. */
  card_brand: maybeString(),
  /** The last four digits of the card. Hidden in logs. */
  card_last4: guess(z.nullish(sensitive("personal", z.string()))),
  /** The month in which the card expires. */
  card_exp_month: monthOrYear(),
  /** The year in which the card expires. */
  card_exp_year: monthOrYear(),
});

/** An invoice. */
export const Invoice = shared(() =>
  resource({
    /** The status of the invoice. The spec names only `upcoming`, on a preview. */
    status: maybeString(),
    /**
     * A page that requires no login. The link is valid for 90 days, and responds with 410 afterwards: read a new one from the
     * API before you send it. For invoices from before document rendering, it is the page of the payment provider.
     */
    hosted_invoice_url: guess(z.nullish(link())),
    /**
     * The PDF; `null` until it is rendered, which `invoice.document_ready` announces. The link is valid for 90 days, and
     * responds with 410 afterwards: read a new one from the API before you send it.
     */
    document_url: guess(z.nullish(link())),
  }),
);

/** A preview: an invoice that does not exist yet, and has no `id`. */
export const UpcomingInvoice = () =>
  open({
    /** `upcoming`, on a preview. */
    status: openEnum("upcoming"),
  });

/** An invoice whose PDF is rendered. */
export const DocumentedInvoice = () =>
  z.extend(Invoice(), {
    /** Valid for 90 days, then responds with 410: read a new one from the API before you send it. */
    hosted_invoice_url: link(),
    /** Valid for 90 days, then responds with 410: read a new one from the API before you send it. */
    document_url: link(),
  });

/** A payment. The spec shows no field of it. */
export const Payment = shared(() => resource({}));

/** A payment method of a subscriber. The object shows its current state. */
export const PaymentMethod = shared(() =>
  resource({
    /** Whether it is the default method. */
    is_default: maybeBoolean(),
    ...cardDetails(),
  }),
);

/** The former values: either `is_default`, which was `false`, or one or more details of the card. */
export const PaymentMethodBefore = () =>
  open({
    /** `false`, if the method became the default. */
    is_default: guess(z.optional(z.boolean())),
    ...cardDetails(),
  });

/** An account credit. */
export const BalanceCredit = () =>
  resource({
    /** With `referral`, `referral.reward.fulfilled` announces the same money too. */
    kind: guess(z.nullish(openEnum("referral"))),
  });

/** A recurring discount credit. The spec shows no field of it. */
export const DiscountCredit = () => resource({});

/** Invoice events, by type. */
export const InvoiceEvents = {
  /**
   * Fires three days before the next billing cycle; a preview invoice object (status upcoming, no
   * id); pre-tax amount covering every seat, add-ons due, and carried credit.
   *
   * Sandbox subscriptions always get it; live ones once they are billed by the service itself, and
   * none while the payment processor bills them. `GET /v1/subscriptions/{id}/renewal` returns the
   * same on demand.
   */
  "invoice.upcoming": () => eventData(UpcomingInvoice()),
  /** Fires when an invoice is created. */
  "invoice.created": () => eventData(Invoice()),
  /**
   * Fires when an invoice is frozen and ready to collect.
   *
   * `document_url` may still be null: send the invoice on `invoice.document_ready`.
   */
  "invoice.finalized": () => eventData(Invoice()),
  /**
   * Fires when the PDF is rendered; fires once per stored document, moments after
   * `invoice.finalized`; `hosted_invoice_url` and `document_url` are populated on its object.
   */
  "invoice.document_ready": () => eventData(DocumentedInvoice()),
  /** Fires when an invoice is paid. */
  "invoice.paid": () => eventData(Invoice()),
  /** Fires when a payment attempt fails. */
  "invoice.payment_failed": () => eventData(Invoice()),
  /** Fires when an invoice is voided. */
  "invoice.voided": () => eventData(Invoice()),
  /**
   * Fires when the service stops collecting on a finalized invoice; the debt stays on the books;
   * fires for the service's own billing engine and when mirrored from the payment processor.
   */
  "invoice.marked_uncollectible": () => eventData(Invoice()),
};

/** Payment events, by type. */
export const PaymentEvents = {
  /** Fires when a payment succeeds. */
  "payment.succeeded": () => eventData(Payment()),
  /** Fires when a payment fails. */
  "payment.failed": () => eventData(Payment()),
  /** Fires when a payment is refunded. */
  "payment.refunded": () => eventData(Payment()),
};

/** Payment method events, by type. */
export const PaymentMethodEvents = {
  /** Fires when a method is attached to a subscriber. */
  "payment_method.attached": () => eventData(PaymentMethod()),
  /**
   * Fires when the method becomes the default (`previous_attributes` holds `is_default` false), or
   * its on-file detail changes (`previous_attributes` holds one or more of `card_brand`,
   * `card_last4`, `card_exp_month`, `card_exp_year`); the object shows current state.
   */
  "payment_method.updated": () => changeData(PaymentMethod(), PaymentMethodBefore()),
  /** Fires when a method is detached. */
  "payment_method.detached": () => eventData(PaymentMethod()),
};

/** Balance events, by type. */
export const BalanceEvents = {
  /**
   * Fires when an operator issues a positive account credit via
   * `POST /v1/subscribers/{id}/balance_credits`; never emitted for the same money as
   * `discount.credit_applied`.
   *
   * With `kind` `referral`, `referral.reward.fulfilled` announces the same money: drive accounting
   * from one of the two.
   */
  "balance.credited": () => eventData(BalanceCredit()),
};

/** Discount events, by type. */
export const DiscountEvents = {
  /** Fires when a recurring discount credit lands on an invoice the service issued itself. */
  "discount.credit_applied": () => eventData(DiscountCredit()),
};
