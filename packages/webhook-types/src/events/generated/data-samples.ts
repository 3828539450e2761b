// @generated from the schema files by `npm run generate -- events`. Do not edit.
import { invoiceSamples, paymentSamples, paymentMethodSamples, balanceSamples, discountSamples } from "../samples/billing.ts";
import { carrierConnectionSamples, paymentConnectionSamples } from "../samples/connection.ts";
import { cpniSamples } from "../samples/cpni.ts";
import { disputeSamples } from "../samples/dispute.ts";
import { fraudSamples } from "../samples/fraud.ts";
import { planSamples, addonSamples } from "../samples/plan.ts";
import { portSamples, portOutSamples } from "../samples/port.ts";
import { psimOrderSamples } from "../samples/psim-order.ts";
import { referralSamples } from "../samples/referral.ts";
import { simInventorySamples } from "../samples/sim-inventory.ts";
import { simSamples } from "../samples/sim.ts";
import { smsSamples } from "../samples/sms.ts";
import { subscriberSamples, addressSamples } from "../samples/subscriber.ts";
import { subscriptionSamples } from "../samples/subscription.ts";
import { usageSamples } from "../samples/usage.ts";
import { webhookEndpointSamples, eventSamples } from "../samples/webhook-endpoint.ts";
import type { Samples } from "../samples.ts";
import type { EventMap } from "./interfaces.ts";

/** The `data` of a sample of each type. */
export const dataSamples: Samples<EventMap> = {
  ...invoiceSamples,
  ...paymentSamples,
  ...paymentMethodSamples,
  ...balanceSamples,
  ...discountSamples,
  ...carrierConnectionSamples,
  ...paymentConnectionSamples,
  ...cpniSamples,
  ...disputeSamples,
  ...fraudSamples,
  ...planSamples,
  ...addonSamples,
  ...portSamples,
  ...portOutSamples,
  ...psimOrderSamples,
  ...referralSamples,
  ...simInventorySamples,
  ...simSamples,
  ...smsSamples,
  ...subscriberSamples,
  ...addressSamples,
  ...subscriptionSamples,
  ...usageSamples,
  ...webhookEndpointSamples,
  ...eventSamples,
};
