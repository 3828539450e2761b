import * as z from "@fieldmesh/core/internal/zod";
import type { AnyRecord } from "@fieldmesh/core/internal";
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
  signedLink,
  snapshot,
} from "../fields.ts";
import { fits, lacks, says, stating } from "../statements.ts";

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
     * A page that requires no login. The link is valid for 90 days and responds with 410 after that: read a new one from the
     * API before you send it. An older invoice, issued before document rendering began, has the page of the payment
     * provider, which expires on the provider's schedule.
     */
    hosted_invoice_url: guess(z.nullish(signedLink())),
    /**
     * The PDF; `null` until it is rendered, which `invoice.document_ready` announces. The link is valid for 90 days and
     * responds with 410 after that: read a new one from the API before you send it.
     */
    document_url: guess(z.nullish(signedLink())),
  }),
);

/** A preview: an invoice that does not exist yet, and has no `id`. */
export const UpcomingInvoice = () =>
  snapshot({
    /** A preview has no id. The name is declared so that you can read the `id` of any object. */
    id: guess(z.optional(z.unknown())),
    /** The status of a preview: `upcoming`. */
    status: openEnum("upcoming"),
  });

/** An invoice whose PDF is rendered. */
export const DocumentedInvoice = () =>
  z.extend(Invoice(), {
    /** The link is valid for 90 days and responds with 410 after that: read a new one from the API before you send it. */
    hosted_invoice_url: signedLink(),
    /** The link is valid for 90 days and responds with 410 after that: read a new one from the API before you send it. */
    document_url: signedLink(),
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

/** The previous values: either `is_default`, which was `false`, or one or more details of the card. */
export const PaymentMethodBefore = () =>
  open({
    /** `false`, if the method became the default. */
    is_default: guess(z.optional(z.boolean())),
    ...cardDetails(),
  });

/** An account credit. */
export const BalanceCredit = () =>
  resource({
    /** The kind of credit. If it is `referral`, `referral.reward.fulfilled` reports the same money. */
    kind: guess(z.nullish(openEnum("referral"))),
  });

/** A recurring discount credit. The spec shows no field of it. */
export const DiscountCredit = () => resource({});

/** Invoice events, by type. */
export const InvoiceEvents = {
  /**
   * Fires three days before the next billing cycle. The object is a preview of an invoice: its status is `upcoming`, and it
   * has no `id`. The amount is before tax, and covers every seat, the add-ons that are due and any carried credit.
   *
   * Sandbox subscriptions always emit this event. A live subscription emits it only after it has moved to the service's own
   * billing engine, and not while the payment processor still bills it. The payload does not change when a subscription
   * moves. `GET /v1/subscriptions/{id}/renewal` returns the next renewal on demand.
   */
  "invoice.upcoming": () =>
    stating(
      eventData(UpcomingInvoice()),
      says("object.status", ["upcoming"], "unless-strict"),
      lacks("id"),
    ),
  /** Fires when an invoice is created. */
  "invoice.created": () => eventData(Invoice()),
  /**
   * Fires when an invoice is frozen and ready to collect.
   *
   * `document_url` may still be `null`: send the invoice when you receive `invoice.document_ready`.
   */
  "invoice.finalized": () => eventData(Invoice()),
  /**
   * Fires when the PDF of an invoice is rendered. It fires once for each stored document, moments after `invoice.finalized`.
   * The object has both `hosted_invoice_url` and `document_url`.
   */
  "invoice.document_ready": () => eventData(DocumentedInvoice()),
  /** Fires when an invoice is paid. */
  "invoice.paid": () => eventData(Invoice()),
  /** Fires when a payment attempt fails. */
  "invoice.payment_failed": () => eventData(Invoice()),
  /** Fires when an invoice is voided. */
  "invoice.voided": () => eventData(Invoice()),
  /**
   * Fires when the service stops collecting on a finalized invoice. The debt stays on the books. The event comes from the
   * service's own billing engine, or mirrors a change at the payment processor.
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
  /** Fires when a payment method is attached to a subscriber. */
  "payment_method.attached": () => eventData(PaymentMethod()),
  /**
   * Fires when a payment method becomes the default, or when its details on file change. The object shows the current state.
   *
   * If the method became the default, `previous_attributes` holds `is_default` with the value `false`. If details changed,
   * it holds one or more of `card_brand`, `card_last4`, `card_exp_month` and `card_exp_year`.
   */
  "payment_method.updated": () =>
    stating(
      changeData(PaymentMethod(), PaymentMethodBefore()),
      fits(
        "previous_attributes",
        "is_default, which was false, or a detail of the card",
        (before) => {
          const { is_default, ...others } = before as AnyRecord;
          return is_default === undefined
            ? Object.keys(cardDetails()).some((name) => others[name] !== undefined)
            : is_default === false;
        },
        "unless-strict",
      ),
    ),
  /** Fires when a payment method is detached from a subscriber. */
  "payment_method.detached": () => eventData(PaymentMethod()),
};

/** Balance events, by type. */
export const BalanceEvents = {
  /**
   * Fires when an operator issues a positive account credit with `POST /v1/subscribers/{id}/balance_credits`. It never fires
   * for the same money as `discount.credit_applied`.
   *
   * If `kind` is `referral`, `referral.reward.fulfilled` reports the same money: use only one of the two for accounting.
   */
  "balance.credited": () => eventData(BalanceCredit()),
};

/** Discount events, by type. */
export const DiscountEvents = {
  /** Fires when a recurring discount credit is applied to an invoice that the service itself issued. */
  "discount.credit_applied": () => eventData(DiscountCredit()),
};
