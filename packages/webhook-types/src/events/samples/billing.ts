import type {
  InvoiceEvents,
  PaymentEvents,
  PaymentMethodEvents,
  BalanceEvents,
  DiscountEvents,
} from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const invoice = {
  id: "in_01JD3YN6F2",
  hosted_invoice_url: "https://billing.example.com/i/in_01JD3YN6F2",
  document_url: null,
};
const rendered = { ...invoice, document_url: "https://billing.example.com/i/in_01JD3YN6F2.pdf" };
const payment = { id: "pay_01JD3YP1H5" };
const card = {
  id: "pm_01JD3YQ4K8",
  is_default: true,
  card_brand: "visa",
  card_last4: "4242",
  card_exp_month: 4,
  card_exp_year: 2029,
};

export const invoiceSamples: Samples<InvoiceEvents> = {
  "invoice.upcoming": { object: { status: "upcoming" } },
  "invoice.created": { object: { ...invoice, hosted_invoice_url: null } },
  "invoice.finalized": { object: invoice },
  "invoice.document_ready": { object: rendered },
  "invoice.paid": { object: rendered },
  "invoice.payment_failed": { object: rendered },
  "invoice.voided": { object: rendered },
  "invoice.marked_uncollectible": { object: rendered },
};

export const paymentSamples: Samples<PaymentEvents> = {
  "payment.succeeded": { object: payment },
  "payment.failed": { object: payment },
  "payment.refunded": { object: payment },
};

export const paymentMethodSamples: Samples<PaymentMethodEvents> = {
  "payment_method.attached": { object: card },
  "payment_method.updated": { object: card, previous_attributes: { is_default: false } },
  "payment_method.detached": { object: card },
};

export const balanceSamples: Samples<BalanceEvents> = {
  "balance.credited": { object: { id: "bal_01JD3YR8M1", kind: "referral" } },
};

export const discountSamples: Samples<DiscountEvents> = {
  "discount.credit_applied": { object: { id: "disc_01JD3YS2P4" } },
};
