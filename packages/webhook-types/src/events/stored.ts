import type { EventOf } from "./envelope.ts";
import type {
  InstallableSim,
  PsimOrder,
  RequestedCpniVerification,
} from "./generated/interfaces.ts";
import type { EventMap, EventPattern, TypesOf } from "./webhook-event.ts";

/** A verification in `/events`, without the one-time code, which only the signed webhook contains. */
export interface StoredCpniVerification extends RequestedCpniVerification {
  /** Never present. */
  code?: undefined;
}

/** An order in `/events`, without its recipient, who is only added to a delivered webhook. */
export interface StoredPsimOrder extends PsimOrder {
  /** Redacted. The spec does not show in which form; other redacted fields are `null`. */
  email?: null | undefined;
  /** Redacted, like the email address. */
  shipping_address?: null | undefined;
}

/** A SIM in `/events`. Only a webhook endpoint that names the type receives the activation code. */
export interface StoredSim extends InstallableSim {
  /** Never present. */
  activation_code?: undefined;
}

/**
 * Stored events by type. Each is assignable to its webhook event, and its type declares what it lacks.
 *
 * Use it for handlers that only receive stored events: `createEventRouter<StoredEventMap>({ … })`.
 */
export interface StoredEventMap extends EventMap {
  "cpni.verification.requested": EventOf<"cpni.verification.requested", StoredCpniVerification>;
  "psim_order.paid": EventOf<"psim_order.paid", StoredPsimOrder>;
  "psim_order.created": EventOf<"psim_order.created", StoredPsimOrder>;
  "psim_order.refunded": EventOf<"psim_order.refunded", StoredPsimOrder>;
  "psim_order.canceled": EventOf<"psim_order.canceled", StoredPsimOrder>;
  "sim.provisioned": EventOf<"sim.provisioned", StoredSim>;
  "sim.activated": EventOf<"sim.activated", StoredSim>;
  "sim.swapped": EventOf<"sim.swapped", StoredSim>;
}

/**
 * A stored event of a known type, from `/events`. Pass a type or a family to narrow it. `parseEvent(event, { source: "store" })`
 * returns it.
 *
 * @example
 * ```ts
 * function mirror(event: StoredWebhookEvent<"psim_order.*">) {}
 * ```
 */
export type StoredWebhookEvent<Pattern extends EventPattern = "*"> =
  StoredEventMap[TypesOf<Pattern>];
