import type { UsageEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const usage = { sim_id: "sim_01JD3YF3T9", subscription_id: "subn_01JD3YB2F6" };
const crossed = (used: number, limit: number) => ({
  object: { ...usage, used, limit, threshold_percent: Math.round((100 * used) / limit) },
});

export const usageSamples: Samples<UsageEvents> = {
  "usage.data_threshold_crossed": crossed(8_192, 10_240),
  "usage.voice_threshold_crossed": crossed(480, 600),
  "usage.sms_threshold_crossed": crossed(90, 100),
  "usage.intl_voice_threshold_crossed": crossed(100, 100),
  "usage.intl_roaming_threshold_crossed": crossed(900, 1_000),
  "usage.intl_sms_threshold_crossed": crossed(50, 50),
  "usage.tier_changed": {
    object: { ...usage, tier: "throttled" },
    previous_attributes: { tier: "full_speed" },
  },
  "usage.cycle_rolled_over": { object: { ...usage, cycle_started_at: "2026-11-20T00:00:00Z" } },
  "usage.threshold_crossed": crossed(8_192, 10_240),
};
