import type { EventOf, Resource } from "./envelope.ts";

/** The full public object. The event is emitted in the same transaction as the write to the plan catalog. */
export interface Plan extends Resource {}

/** The full public object. The event is emitted in the same transaction as the write to the plan catalog. */
export interface Addon extends Resource {}

/** Plan events, by type. */
export interface PlanEvents {
  /** Fires when a plan is added. */
  "plan.created": EventOf<"plan.created", Plan>;
  /** Fires when details or price of a plan change. */
  "plan.updated": EventOf<"plan.updated", Plan>;
  /** Fires when a plan is withdrawn from sale; subscriptions on it unaffected. */
  "plan.deleted": EventOf<"plan.deleted", Plan>;
}

/** Addon events, by type. */
export interface AddonEvents {
  /** Fires when an addon is added. */
  "addon.created": EventOf<"addon.created", Addon>;
  /** Fires when details or price of an add-on change. */
  "addon.updated": EventOf<"addon.updated", Addon>;
  /** Fires when an add-on is withdrawn from sale; attached addons unaffected. */
  "addon.deleted": EventOf<"addon.deleted", Addon>;
}
