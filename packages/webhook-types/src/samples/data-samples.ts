import type { EventMap } from "../catalog/event-map.js";
import {
  invoiceSamples,
  paymentSamples,
  paymentMethodSamples,
  balanceSamples,
  discountSamples,
} from "./billing.js";
import { carrierConnectionSamples, paymentConnectionSamples } from "./connection.js";
import { cpniSamples } from "./cpni.js";
import { disputeSamples } from "./dispute.js";
import { fraudSamples } from "./fraud.js";
import { planSamples, addonSamples } from "./plan.js";
import { portSamples, portOutSamples } from "./port.js";
import { psimOrderSamples } from "./psim-order.js";
import { referralSamples } from "./referral.js";
import { simInventorySamples } from "./sim-inventory.js";
import { simSamples } from "./sim.js";
import { smsSamples } from "./sms.js";
import { subscriberSamples, addressSamples } from "./subscriber.js";
import { subscriptionSamples } from "./subscription.js";
import { usageSamples } from "./usage.js";
import { webhookEndpointSamples, eventSamples } from "./webhook-endpoint.js";
import type { Samples } from "./samples.js";

/** The samples of all families. */
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
