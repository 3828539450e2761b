// @generated from the schema files by `npm run generate -- events`. Do not edit.
import { invoiceSamples, paymentSamples, paymentMethodSamples, balanceSamples, discountSamples } from "../billing.ts";
import { carrierConnectionSamples, paymentConnectionSamples } from "../connection.ts";
import { cpniSamples } from "../cpni.ts";
import { disputeSamples } from "../dispute.ts";
import { fraudSamples } from "../fraud.ts";
import { planSamples, addonSamples } from "../plan.ts";
import { portSamples, portOutSamples } from "../port.ts";
import { psimOrderSamples } from "../psim-order.ts";
import { referralSamples } from "../referral.ts";
import { simInventorySamples } from "../sim-inventory.ts";
import { simSamples } from "../sim.ts";
import { smsSamples } from "../sms.ts";
import { subscriberSamples, addressSamples } from "../subscriber.ts";
import { subscriptionSamples } from "../subscription.ts";
import { usageSamples } from "../usage.ts";
import { webhookEndpointSamples, eventSamples } from "../webhook-endpoint.ts";
import type { Samples } from "../../samples.ts";
import type { EventMap } from "../../generated/interfaces.ts";

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
