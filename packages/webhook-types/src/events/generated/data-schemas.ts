// @generated from the schema files by `npm run generate -- events`. Do not edit.
import type * as z from "@fieldmesh/core/internal/zod";
import { InvoiceEvents, PaymentEvents, PaymentMethodEvents, BalanceEvents, DiscountEvents } from "../schemas/billing.ts";
import { CarrierConnectionEvents, PaymentConnectionEvents } from "../schemas/connection.ts";
import { CpniEvents } from "../schemas/cpni.ts";
import { DisputeEvents } from "../schemas/dispute.ts";
import { FraudEvents } from "../schemas/fraud.ts";
import { PlanEvents, AddonEvents } from "../schemas/plan.ts";
import { PortEvents, PortOutEvents } from "../schemas/port.ts";
import { PsimOrderEvents } from "../schemas/psim-order.ts";
import { ReferralEvents } from "../schemas/referral.ts";
import { SimInventoryEvents } from "../schemas/sim-inventory.ts";
import { SimEvents } from "../schemas/sim.ts";
import { SmsEvents } from "../schemas/sms.ts";
import { SubscriberEvents, AddressEvents } from "../schemas/subscriber.ts";
import { SubscriptionEvents } from "../schemas/subscription.ts";
import { UsageEvents } from "../schemas/usage.ts";
import { WebhookEndpointEvents, EventEvents } from "../schemas/webhook-endpoint.ts";
import type { EventMap } from "./interfaces.ts";

/** Makes the schema of an event's `data`, by its type: a process that gets three types does not pay for all. */
export const dataSchemas = {
  ...InvoiceEvents,
  ...PaymentEvents,
  ...PaymentMethodEvents,
  ...BalanceEvents,
  ...DiscountEvents,
  ...CarrierConnectionEvents,
  ...PaymentConnectionEvents,
  ...CpniEvents,
  ...DisputeEvents,
  ...FraudEvents,
  ...PlanEvents,
  ...AddonEvents,
  ...PortEvents,
  ...PortOutEvents,
  ...PsimOrderEvents,
  ...ReferralEvents,
  ...SimInventoryEvents,
  ...SimEvents,
  ...SmsEvents,
  ...SubscriberEvents,
  ...AddressEvents,
  ...SubscriptionEvents,
  ...UsageEvents,
  ...WebhookEndpointEvents,
  ...EventEvents,
} satisfies {
  readonly [Type in keyof EventMap]: () => z.core.$ZodType<EventMap[Type]["data"]>;
};
