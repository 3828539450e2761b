import type { PlanEvents, AddonEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const plan = { id: "plan_unlimited" };
const addon = { id: "addon_roaming_eu" };

export const planSamples: Samples<PlanEvents> = {
  "plan.created": { object: plan },
  "plan.updated": { object: plan },
  "plan.deleted": { object: plan },
};

export const addonSamples: Samples<AddonEvents> = {
  "addon.created": { object: addon },
  "addon.updated": { object: addon },
  "addon.deleted": { object: addon },
};
