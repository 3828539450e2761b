import * as z from "zod/mini";
import type {
  InvoiceEvents,
  PaymentEvents,
  PaymentMethodEvents,
  BalanceEvents,
  DiscountEvents,
} from "../../catalog/billing.ts";
import {
  once,
  change,
  data,
  open,
  openEnum,
  resource,
  sensitive,
  text,
  type Rows,
} from "./fields.ts";

/** Signed: who has it reads the invoice without a login for 90 days. */
const link = () => sensitive("personal", z.string());

const invoiceFields = () => ({
  status: text(),
  hosted_invoice_url: z.nullish(link()),
  document_url: z.nullish(link()),
});
const cardDetails = () => ({
  card_brand: text(),
  card_last4: text(),
  card_exp_month: z.nullish(z.union([z.number(), z.string()])),
  card_exp_year: z.nullish(z.union([z.number(), z.string()])),
});

const anInvoice = once(() => resource(invoiceFields()));
const upcomingInvoice = () => open({ status: openEnum("upcoming") });
const documentedInvoice = () =>
  resource({ ...invoiceFields(), hosted_invoice_url: link(), document_url: link() });
const aPayment = once(() => resource({}));
const aPaymentMethod = once(() =>
  resource({ is_default: z.nullish(z.boolean()), ...cardDetails() }),
);
const paymentMethodBefore = () => open({ is_default: z.optional(z.boolean()), ...cardDetails() });
const balanceCredit = () => resource({ kind: z.nullish(openEnum("referral")) });
const discountCredit = () => resource({});

export const invoiceRows = {
  "invoice.upcoming": () => data(upcomingInvoice()),
  "invoice.created": () => data(anInvoice()),
  "invoice.finalized": () => data(anInvoice()),
  "invoice.document_ready": () => data(documentedInvoice()),
  "invoice.paid": () => data(anInvoice()),
  "invoice.payment_failed": () => data(anInvoice()),
  "invoice.voided": () => data(anInvoice()),
  "invoice.marked_uncollectible": () => data(anInvoice()),
} satisfies Rows<InvoiceEvents>;

export const paymentRows = {
  "payment.succeeded": () => data(aPayment()),
  "payment.failed": () => data(aPayment()),
  "payment.refunded": () => data(aPayment()),
} satisfies Rows<PaymentEvents>;

export const paymentMethodRows = {
  "payment_method.attached": () => data(aPaymentMethod()),
  "payment_method.updated": () => change(aPaymentMethod(), paymentMethodBefore()),
  "payment_method.detached": () => data(aPaymentMethod()),
} satisfies Rows<PaymentMethodEvents>;

export const balanceRows = {
  "balance.credited": () => data(balanceCredit()),
} satisfies Rows<BalanceEvents>;

export const discountRows = {
  "discount.credit_applied": () => data(discountCredit()),
} satisfies Rows<DiscountEvents>;
