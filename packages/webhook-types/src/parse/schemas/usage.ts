import type { UsageEvents } from "../../catalog/usage.ts";
import { once, data, resource, type Rows } from "./fields.ts";

const usageRecord = once(() => resource({}));

export const usageRows = {
  "usage.data_threshold_crossed": () => data(usageRecord()),
  "usage.voice_threshold_crossed": () => data(usageRecord()),
  "usage.sms_threshold_crossed": () => data(usageRecord()),
  "usage.intl_voice_threshold_crossed": () => data(usageRecord()),
  "usage.intl_roaming_threshold_crossed": () => data(usageRecord()),
  "usage.intl_sms_threshold_crossed": () => data(usageRecord()),
  "usage.tier_changed": () => data(usageRecord()),
  "usage.cycle_rolled_over": () => data(usageRecord()),
  "usage.threshold_crossed": () => data(usageRecord()),
} satisfies Rows<UsageEvents>;
