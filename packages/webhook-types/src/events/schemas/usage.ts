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
  /** Fires when the carrier reports that the international calling allowance is running out or used up. */
  "usage.intl_voice_threshold_crossed": () => eventData(Usage()),
  /** Fires when the carrier reports that the international roaming allowance is running out or used up. */
  "usage.intl_roaming_threshold_crossed": () => eventData(Usage()),
  /** Fires when the carrier reports that the international texting allowance is running out or used up. */
  "usage.intl_sms_threshold_crossed": () => eventData(Usage()),
  /** Fires when a SIM moves from one throttle tier to another. */
  "usage.tier_changed": () => eventData(Usage()),
  /** Fires when a new billing cycle starts and the counters are reset. */
  "usage.cycle_rolled_over": () => eventData(Usage()),
  /**
   * Fires when a configured data, voice or SMS threshold is crossed.
   *
   * @deprecated Of an earlier catalog; today likely `usage.data_threshold_crossed`,
   * `usage.voice_threshold_crossed` and `usage.sms_threshold_crossed`.
   */
  "usage.threshold_crossed": () => eventData(Usage()),
};
