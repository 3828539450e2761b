import type { PlanEvents, AddonEvents } from "../../catalog/plan.js";
import { once, data, resource, type Rows } from "./fields.js";

const plan = once(() => resource({}));
const addon = once(() => resource({}));

export const planRows = {
  "plan.created": () => data(plan()),
  "plan.updated": () => data(plan()),
  "plan.deleted": () => data(plan()),
} satisfies Rows<PlanEvents>;

export const addonRows = {
  "addon.created": () => data(addon()),
  "addon.updated": () => data(addon()),
  "addon.deleted": () => data(addon()),
} satisfies Rows<AddonEvents>;
