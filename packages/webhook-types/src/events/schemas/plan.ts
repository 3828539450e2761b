import { eventData, resource, shared } from "../fields.ts";

/** The full public object. The event is emitted in the same transaction as the write to the plan catalog. */
export const Plan = shared(() => resource({}));

/** The full public object. The event is emitted in the same transaction as the write to the plan catalog. */
export const Addon = shared(() => resource({}));

/** Plan events, by type. */
export const PlanEvents = {
  /** Fires when a plan is added. */
  "plan.created": () => eventData(Plan()),
  /** Fires when details or price of a plan change. */
  "plan.updated": () => eventData(Plan()),
  /** Fires when a plan is withdrawn from sale; subscriptions on it unaffected. */
  "plan.deleted": () => eventData(Plan()),
};

/** Addon events, by type. */
export const AddonEvents = {
  /** Fires when an addon is added. */
  "addon.created": () => eventData(Addon()),
  /** Fires when details or price of an add-on change. */
  "addon.updated": () => eventData(Addon()),
  /** Fires when an add-on is withdrawn from sale; attached addons unaffected. */
  "addon.deleted": () => eventData(Addon()),
};
