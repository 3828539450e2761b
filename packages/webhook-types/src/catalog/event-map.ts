import type {
  InvoiceEvents,
  PaymentEvents,
  PaymentMethodEvents,
  BalanceEvents,
  DiscountEvents,
} from "./billing.ts";
import type { CarrierConnectionEvents, PaymentConnectionEvents } from "./connection.ts";
import type { CpniEvents } from "./cpni.ts";
import type { DisputeEvents } from "./dispute.ts";
import type { FraudEvents } from "./fraud.ts";
import type { PlanEvents, AddonEvents } from "./plan.ts";
import type { PortEvents, PortOutEvents } from "./port.ts";
import type { PsimOrderEvents } from "./psim-order.ts";
import type { ReferralEvents } from "./referral.ts";
import type { SimEvents } from "./sim.ts";
import type { SimInventoryEvents } from "./sim-inventory.ts";
import type { SmsEvents } from "./sms.ts";
import type { SubscriberEvents, AddressEvents } from "./subscriber.ts";
import type { SubscriptionEvents } from "./subscription.ts";
import type { UsageEvents } from "./usage.ts";
import type { WebhookEndpointEvents, EventEvents } from "./webhook-endpoint.ts";

/** Every event by its type: 128 types of the current catalog, and 11 that only an earlier one has. */
export interface EventMap
  extends
    SubscriberEvents,
    AddressEvents,
    SubscriptionEvents,
    SimEvents,
    SimInventoryEvents,
    PortEvents,
    PlanEvents,
    AddonEvents,
    UsageEvents,
    InvoiceEvents,
    PaymentEvents,
    PaymentMethodEvents,
    BalanceEvents,
    DiscountEvents,
    DisputeEvents,
    PsimOrderEvents,
    SmsEvents,
    CpniEvents,
    ReferralEvents,
    CarrierConnectionEvents,
    PaymentConnectionEvents,
    FraudEvents,
    WebhookEndpointEvents,
    PortOutEvents,
    EventEvents {}

/** The tables by family. A family is what stands before the first dot of a type. */
export interface FamilyMap {
  subscriber: SubscriberEvents;
  address: AddressEvents;
  subscription: SubscriptionEvents;
  sim: SimEvents;
  sim_inventory: SimInventoryEvents;
  port: PortEvents;
  plan: PlanEvents;
  addon: AddonEvents;
  usage: UsageEvents;
  invoice: InvoiceEvents;
  payment: PaymentEvents;
  payment_method: PaymentMethodEvents;
  balance: BalanceEvents;
  discount: DiscountEvents;
  dispute: DisputeEvents;
  psim_order: PsimOrderEvents;
  sms: SmsEvents;
  cpni: CpniEvents;
  referral: ReferralEvents;
  carrier_connection: CarrierConnectionEvents;
  payment_connection: PaymentConnectionEvents;
  fraud: FraudEvents;
  webhook_endpoint: WebhookEndpointEvents;
  port_out: PortOutEvents;
  event: EventEvents;
}

/** A type that this version knows. */
export type EventType = keyof EventMap;

export type EventFamily = keyof FamilyMap;

/** A type, all types of a family (`sim.*` takes in `sim.a.b` too), or all types. */
export type EventPattern = EventType | `${EventFamily}.*` | "*";

/**
 * The known types that a pattern matches.
 *
 * It looks a family up instead of comparing 139 types with a template: a tenth of the work for the compiler.
 */
export type TypesOf<Pattern extends EventPattern> = Pattern extends EventType
  ? Pattern
  : Pattern extends `${infer Family extends EventFamily}.*`
    ? keyof FamilyMap[Family] & EventType
    : EventType;

/**
 * An event of a known type, discriminated by `type`; or those of one type or family.
 *
 * @example
 * ```ts
 * function welcome(event: WebhookEvent<"sim.activated">) {}
 * function mirror(event: WebhookEvent<"subscription.*">) {}
 * ```
 */
export type WebhookEvent<Pattern extends EventPattern = "*"> = EventMap[TypesOf<Pattern>];
