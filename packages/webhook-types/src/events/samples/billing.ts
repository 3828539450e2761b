import type {
  InvoiceEvents,
  PaymentEvents,
  PaymentMethodEvents,
  BalanceEvents,
  DiscountEvents,
} from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const subscriber_id = "sub_01JD3Y7Q4W8TQ2";
const invoice = {
  id: "in_01JD3YN6F2",
  subscriber_id,
  status: "open",
  total_cents: 4_500,
  hosted_invoice_url: "https://billing.example.com/i/in_01JD3YN6F2",
  document_url: null,
};
const payment = { id: "pay_01JD3YP1H5", invoice_id: invoice.id, amount_cents: 4_500 };
const card = {
  id: "pm_01JD3YQ4K8",
  subscriber_id,
  is_default: true,
  card_brand: "visa",
  card_last4: "4242",
  card_exp_month: 4,
  card_exp_year: 2029,
};
const credit = { id: "bal_01JD3YR8M1", subscriber_id, amount_cents: 1_000, kind: "referral" };
const discount = {
  id: "disc_01JD3YS2P4",
  subscriber_id,
  invoice_id: invoice.id,
  amount_cents: 500,
};

export const invoiceSamples: Samples<InvoiceEvents> = {
  "invoice.upcoming": {
    object: { subscriber_id, status: "upcoming", amount_cents: 4_500, carried_credit_cents: 0 },
  },
  "invoice.created": { object: { ...invoice, status: "draft", hosted_invoice_url: null } },
  "invoice.finalized": { object: invoice },
  "invoice.document_ready": {
    object: { ...invoice, document_url: "https://billing.example.com/i/in_01JD3YN6F2.pdf" },
  },
  "invoice.paid": {
    object: { ...invoice, status: "paid" },
    previous_attributes: { status: "open" },
  },
  "invoice.payment_failed": { object: invoice },
  "invoice.voided": {
    object: { ...invoice, status: "void" },
    previous_attributes: { status: "open" },
  },
  "invoice.marked_uncollectible": {
    object: { ...invoice, status: "uncollectible" },
    previous_attributes: { status: "open" },
  },
};

export const paymentSamples: Samples<PaymentEvents> = {
  "payment.succeeded": { object: { ...payment, status: "succeeded" } },
  "payment.failed": { object: { ...payment, status: "failed", failure_code: "card_declined" } },
  "payment.refunded": { object: { ...payment, status: "refunded" } },
};

export const paymentMethodSamples: Samples<PaymentMethodEvents> = {
  "payment_method.attached": { object: card },
  "payment_method.updated": { object: card, previous_attributes: { is_default: false } },
  "payment_method.detached": { object: card },
};

export const balanceSamples: Samples<BalanceEvents> = {
  "balance.credited": { object: credit },
};

export const discountSamples: Samples<DiscountEvents> = {
  "discount.credit_applied": { object: discount },
};
