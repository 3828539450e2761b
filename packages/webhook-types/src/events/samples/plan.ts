import type { PlanEvents, AddonEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const plan = {
  id: "plan_unlimited",
  name: "Unlimited",
  price_cents: 4_500,
  billing_period: "month",
};
const addon = { id: "addon_roaming_eu", name: "Roaming in Europe", price_cents: 900 };

export const planSamples: Samples<PlanEvents> = {
  "plan.created": { object: plan },
  "plan.updated": { object: plan, previous_attributes: { price_cents: 4_000 } },
  "plan.deleted": { object: plan },
};

export const addonSamples: Samples<AddonEvents> = {
  "addon.created": { object: addon },
  "addon.updated": { object: addon, previous_attributes: { price_cents: 800 } },
  "addon.deleted": { object: addon },
};
