import type { PlanEvents, AddonEvents } from "../../catalog/plan.ts";
import { once, data, resource, type Rows } from "./fields.ts";

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
