import type { EventOf } from "./envelope.ts";
import type {
  InstallableSim,
  PsimOrder,
  RequestedCpniVerification,
} from "./generated/interfaces.ts";
import type { EventMap, EventPattern, TypesOf } from "./webhook-event.ts";

/** A verification as `/events` has it: the one-time code travels in the signed webhook only. */
export interface StoredCpniVerification extends RequestedCpniVerification {
  /** Never present. */
  code?: undefined;
}

/** An order as `/events` has it: its recipient is added only when a webhook is delivered. */
export interface StoredPsimOrder extends PsimOrder {
  /** Redacted; the spec does not show in which form. Elsewhere what is redacted is `null`. */
  email?: null | undefined;
  /** Redacted, as the e-mail is. */
  shipping_address?: null | undefined;
}

/** A SIM as `/events` has it: only a webhook endpoint that names the type receives the install string. */
export interface StoredSim extends InstallableSim {
  /** Never present. */
  activation_code?: undefined;
}

/**
 * Events by type as `/events` has them: each is assignable to its webhook event, and its type says what it lacks.
 *
 * Use it for handlers that receive stored events only: `createEventRouter<StoredEventMap>({ … })`.
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
 * An event that was read from `/events`, of a known type; or those of one type or family. `parseEvent(event, { source:
 * "store" })` returns it.
 *
 * @example
 * ```ts
 * function mirror(event: StoredWebhookEvent<"psim_order.*">) {}
 * ```
 */
export type StoredWebhookEvent<Pattern extends EventPattern = "*"> =
  StoredEventMap[TypesOf<Pattern>];
