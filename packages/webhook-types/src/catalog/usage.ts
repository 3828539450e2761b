import type { EventOf, Resource } from "./envelope.ts";

export interface Usage extends Resource {}

/** Usage events, by type. */
export interface UsageEvents {
  /** Fires when a configured data threshold is crossed. */
  "usage.data_threshold_crossed": EventOf<"usage.data_threshold_crossed", Usage>;
  /** Fires when a configured voice threshold is crossed. */
  "usage.voice_threshold_crossed": EventOf<"usage.voice_threshold_crossed", Usage>;
  /** Fires when a configured SMS threshold is crossed. */
  "usage.sms_threshold_crossed": EventOf<"usage.sms_threshold_crossed", Usage>;
  /** Fires when the carrier reports the international calling allowance running out or used up. */
  "usage.intl_voice_threshold_crossed": EventOf<"usage.intl_voice_threshold_crossed", Usage>;
  /** Fires when the carrier reports the international roaming allowance running out or used up. */
  "usage.intl_roaming_threshold_crossed": EventOf<"usage.intl_roaming_threshold_crossed", Usage>;
  /** Fires when the carrier reports the international texting allowance running out or used up. */
  "usage.intl_sms_threshold_crossed": EventOf<"usage.intl_sms_threshold_crossed", Usage>;
  /** Fires when the SIM moves between throttle tiers. */
  "usage.tier_changed": EventOf<"usage.tier_changed", Usage>;
  /** Fires when a billing cycle rolls over and counters reset. */
  "usage.cycle_rolled_over": EventOf<"usage.cycle_rolled_over", Usage>;
  /**
   * Fires when a configured data, voice or SMS threshold is hit.
   *
   * @deprecated Of an earlier catalog; today `usage.data_threshold_crossed`,
   * `usage.voice_threshold_crossed` and `usage.sms_threshold_crossed`.
   */
  "usage.threshold_crossed": EventOf<"usage.threshold_crossed", Usage>;
}
