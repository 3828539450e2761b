import { eventData, resource, shared } from "../fields.ts";

/** What a usage event carries. The spec shows no field of it. */
export const Usage = shared(() => resource({}));

/** Usage events, by type. */
export const UsageEvents = {
  /** Fires when a configured data threshold is crossed. */
  "usage.data_threshold_crossed": () => eventData(Usage()),
  /** Fires when a configured voice threshold is crossed. */
  "usage.voice_threshold_crossed": () => eventData(Usage()),
  /** Fires when a configured SMS threshold is crossed. */
  "usage.sms_threshold_crossed": () => eventData(Usage()),
  /** Fires when the carrier reports the international calling allowance running out or used up. */
  "usage.intl_voice_threshold_crossed": () => eventData(Usage()),
  /** Fires when the carrier reports the international roaming allowance running out or used up. */
  "usage.intl_roaming_threshold_crossed": () => eventData(Usage()),
  /** Fires when the carrier reports the international texting allowance running out or used up. */
  "usage.intl_sms_threshold_crossed": () => eventData(Usage()),
  /** Fires when the SIM moves between throttle tiers. */
  "usage.tier_changed": () => eventData(Usage()),
  /** Fires when a billing cycle rolls over and counters reset. */
  "usage.cycle_rolled_over": () => eventData(Usage()),
  /**
   * Fires when a configured data, voice or SMS threshold is hit.
   *
   * @deprecated Of an earlier catalog; today `usage.data_threshold_crossed`,
   * `usage.voice_threshold_crossed` and `usage.sms_threshold_crossed`.
   */
  "usage.threshold_crossed": () => eventData(Usage()),
};
