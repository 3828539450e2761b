import * as z from "zod/mini";
import type { CarrierConnectionEvents, PaymentConnectionEvents } from "../../catalog/connection.ts";
import { once, change, data, open, openEnum, resource, type Rows } from "./fields.ts";

const aCarrierConnection = once(() => resource({}));
const aPaymentConnection = () => resource({ status: z.nullish(openEnum("active")) });
const paymentConnectionBefore = () => open({ status: openEnum("active") });

export const carrierConnectionRows = {
  "carrier_connection.verified": () => data(aCarrierConnection()),
  "carrier_connection.auth_failed": () => data(aCarrierConnection()),
  "carrier_connection.credentials_expired": () => data(aCarrierConnection()),
  "carrier_connection.verify_failed": () => data(aCarrierConnection()),
} satisfies Rows<CarrierConnectionEvents>;

export const paymentConnectionRows = {
  "payment_connection.verified": () => change(aPaymentConnection(), paymentConnectionBefore()),
  "payment_connection.auth_failed": () => change(aPaymentConnection(), paymentConnectionBefore()),
  "payment_connection.credentials_expired": () =>
    change(aPaymentConnection(), paymentConnectionBefore()),
} satisfies Rows<PaymentConnectionEvents>;
