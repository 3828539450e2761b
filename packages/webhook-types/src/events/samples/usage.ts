import type { UsageEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

// The spec names no field of these.
const usage = { object: {} };

export const usageSamples: Samples<UsageEvents> = {
  "usage.data_threshold_crossed": usage,
  "usage.voice_threshold_crossed": usage,
  "usage.sms_threshold_crossed": usage,
  "usage.intl_voice_threshold_crossed": usage,
  "usage.intl_roaming_threshold_crossed": usage,
  "usage.intl_sms_threshold_crossed": usage,
  "usage.tier_changed": usage,
  "usage.cycle_rolled_over": usage,
  "usage.threshold_crossed": usage,
};
