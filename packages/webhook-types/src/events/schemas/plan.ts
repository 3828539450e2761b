import { eventData, resource, shared } from "../fields.ts";

/** A plan: the full public object. */
export const Plan = shared(() => resource({}));

/** An add-on: the full public object. */
export const Addon = shared(() => resource({}));

/**
 * Plan events, by type. Each event is emitted in the same transaction as the change to the catalog of plans, and carries the
 * full public object.
 */
export const PlanEvents = {
  /** Fires when a plan is added. */
  "plan.created": () => eventData(Plan()),
  /** Fires when the details or price of a plan change. */
  "plan.updated": () => eventData(Plan()),
  /** Fires when a plan is withdrawn from sale. Its subscriptions are not affected. */
  "plan.deleted": () => eventData(Plan()),
};

/**
 * Add-on events, by type. Each event is emitted in the same transaction as the change to the catalog of add-ons, and carries
 * the full public object.
 */
export const AddonEvents = {
  /** Fires when an add-on is added. */
  "addon.created": () => eventData(Addon()),
  /** Fires when the details or price of an add-on change. */
  "addon.updated": () => eventData(Addon()),
  /** Fires when an add-on is withdrawn from sale. Add-ons that are already attached are not affected. */
  "addon.deleted": () => eventData(Addon()),
};
