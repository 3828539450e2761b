import type { OpenEnum, Secret } from "@fieldmesh/core";
import type { ChangeData, ChangeOf, DataOf, EventOf, OpenRecord, Resource } from "./envelope.ts";
import type { SubscriptionStatus } from "./subscription.ts";

export type SimState = OpenEnum<"provisioned" | "active" | "suspended" | "deactivated">;
export type VideoQuality = OpenEnum<"480p">;

export interface Sim extends Resource {
  state?: SimState | null | undefined;
  metadata?: SimMetadata | null | undefined;
  /** On `sim.reassigned` the payer; on `sim.linked` the member, where the line is one of a group. */
  subscriber_id?: string | null | undefined;
  /** The member who uses the line. */
  holder_subscriber_id?: string | null | undefined;
  subscription_id?: string | null | undefined;
  subscription_line_id?: string | null | undefined;
  external_subscriber_id?: string | null | undefined;
  subscription_status?: SubscriptionStatus | null | undefined;
  /** A phone number: personal data. */
  msisdn?: string | null | undefined;
  boost_mb?: number | null | undefined;
  scam_block_enabled?: boolean | null | undefined;
  video_quality?: VideoQuality | null | undefined;
  /** The priority service code. The spec does not show its form. */
  wps?: unknown;
}

export interface SimMetadata extends OpenRecord {
  /** The end of a number hold. */
  carrier_held_until?: string | null | undefined;
}

export interface InstallableSim extends Sim {
  /**
   * The eSIM install string: whoever has it can install the line.
   *
   * Absent where the endpoint's `enabled_events` has only `*`; present where it names the type, or `sim.*`.
   */
  activation_code?: Secret | null | undefined;
}

export interface ClearedSimData extends ChangeData<Sim, ClearedSimBefore> {
  /** `deactivated` or `provisioned`. The spec names it here; `object.state` is the snapshot's own. */
  state?: SimState | null | undefined;
}

/** What a cleared SIM was bound to; `null` for what it was not. */
export interface ClearedSimBefore extends OpenRecord {
  subscriber_id: string | null;
  subscription_id: string | null;
  subscription_line_id: string | null;
  msisdn: string | null;
}

/** Where a reassigned SIM now stands. `reassignmentOf` reads it as the spec advises. */
export interface ReassignedSim extends Sim {
  /** The payer. */
  subscriber_id: string;
  /** The member who uses the line: mirror this one. */
  holder_subscriber_id: string;
  subscription_id: string;
  subscription_line_id: string | null;
  external_subscriber_id: string | null;
  /** Take the new status from here. */
  subscription_status: SubscriptionStatus;
}

export interface ReassignedSimBefore extends OpenRecord {
  subscriber_id: string | null;
  subscription_id: string | null;
  subscription_line_id: string | null;
  /** Re-point a mirrored subscription only when this is `cancelled`. */
  subscription_status: SubscriptionStatus | null;
}

export interface ScamBlockSim extends Sim {
  scam_block_enabled: boolean;
}

export interface VideoQualitySim extends Sim {
  video_quality: VideoQuality;
  previous_video_quality: VideoQuality | null;
  /** Lowered because of data use, and not yet raised again. */
  video_stepped_down: boolean;
}

export interface PrioritySim extends Sim {
  wps: unknown;
}

export interface ReducedBoostSim extends Sim {
  /** What is left of the boost, in megabytes. */
  boost_mb: number;
  boost_mb_removed: number;
}

export interface ProfileSim extends Sim {
  profile_expires_at: string;
}

/** SIM events, by type. */
export interface SimEvents {
  /**
   * Fires when a SIM record is created and provisioned.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.provisioned": EventOf<"sim.provisioned", InstallableSim>;
  /** Fires when an existing SIM is imported (migration). */
  "sim.imported": EventOf<"sim.imported", Sim>;
  /** Fires when activation is requested from the carrier. */
  "sim.activation_started": EventOf<"sim.activation_started", Sim>;
  /**
   * Fires when the carrier confirms activation.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.activated": EventOf<"sim.activated", InstallableSim>;
  /** Fires when the carrier rejects activation. */
  "sim.activation_failed": EventOf<"sim.activation_failed", Sim>;
  /** Fires when activation has stalled and needs operator resolution. */
  "sim.activation_resolution_required": EventOf<"sim.activation_resolution_required", Sim>;
  /** Fires when a SIM moves to suspended. */
  "sim.suspended": EventOf<"sim.suspended", Sim>;
  /** Fires when a SIM moves from suspended back to active. */
  "sim.restored": EventOf<"sim.restored", Sim>;
  /** Fires when a SIM is deactivated, for good. */
  "sim.deactivated": EventOf<"sim.deactivated", Sim>;
  /**
   * Fires when a SIM is released to unassigned stock (operator clear, or card freed after an
   * abandoned port-in); `data.state` is deactivated or provisioned; `metadata.carrier_held_until`
   * marks the end of a number hold; `previous_attributes` holds `subscriber_id`,
   * `subscription_id`, `subscription_line_id` (null if none) and msisdn.
   */
  "sim.cleared": DataOf<"sim.cleared", ClearedSimData>;
  /**
   * Fires when unassigned stock is bound to a subscriber; carries the link target (on a group
   * line, the member, not the payer).
   */
  "sim.linked": EventOf<"sim.linked", Sim>;
  /**
   * Fires when a fresh carrier read is recorded; fires on every sync including no-change ones,
   * alongside any `sim.suspended` or `sim.deactivated` it found.
   *
   * So it is no sign that anything changed.
   */
  "sim.synced": EventOf<"sim.synced", Sim>;
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.swapped": EventOf<"sim.swapped", InstallableSim>;
  /**
   * Fires when the SIM's placement moves (explicit reassign or reuse by a re-subscribe); object
   * carries `subscriber_id` (the payer), `holder_subscriber_id` (the member who uses the line),
   * `subscription_id`, `subscription_line_id`, `external_subscriber_id`, `subscription_status`;
   * `previous_attributes` carries the old `subscription_id`, `subscriber_id`,
   * `subscription_line_id`, `subscription_status`.
   *
   * To mirror the end user read `holder_subscriber_id`. Re-point a mirrored subscription only when
   * `previous_attributes.subscription_status` is `cancelled`, and take the new status from
   * `subscription_status`. `reassignmentOf` does this.
   */
  "sim.reassigned": ChangeOf<"sim.reassigned", ReassignedSim, ReassignedSimBefore>;
  /** Fires when the SIM's provisioned products change. */
  "sim.products_updated": EventOf<"sim.products_updated", Sim>;
  /**
   * Fires when scam blocking is switched on or off; carries `scam_block_enabled`; only on plans that
   * include scam protection.
   */
  "sim.scam_block_changed": EventOf<"sim.scam_block_changed", ScamBlockSim>;
  /**
   * Fires when video quality changes because the plan sets `video_step_down_after_mb`; lowered to
   * 480p when cycle data use reaches it, raised at the next cycle or by a data boost; carries
   * `video_quality`, `previous_video_quality`, `video_stepped_down`.
   */
  "sim.video_quality_changed": EventOf<"sim.video_quality_changed", VideoQualitySim>;
  /** Fires when the priority service code changes; carries `wps`. */
  "sim.wps_changed": EventOf<"sim.wps_changed", PrioritySim>;
  /** Fires when the MSISDN changes. */
  "sim.msisdn_changed": EventOf<"sim.msisdn_changed", Sim>;
  /** Fires when a data boost is applied. */
  "sim.boosted": EventOf<"sim.boosted", Sim>;
  /** Fires when a data boost window ends (also a whole-grant reversal). */
  "sim.boost_expired": EventOf<"sim.boost_expired", Sim>;
  /**
   * Fires when part of an accumulated boost is taken back; carries `boost_mb`
   * and `boost_mb_removed`.
   */
  "sim.boost_reduced": EventOf<"sim.boost_reduced", ReducedBoostSim>;
  /**
   * Fires when an eSIM profile is issued; carries the SIM and `profile_expires_at`, never the
   * profile.
   */
  "sim.esim_profile_downloaded": EventOf<"sim.esim_profile_downloaded", ProfileSim>;
  /** Fires when a SIM is throttled after crossing a usage cap. */
  "sim.throttled": EventOf<"sim.throttled", Sim>;
  /** Fires when throttling is lifted (cycle rollover or manual). */
  "sim.throttle_cleared": EventOf<"sim.throttle_cleared", Sim>;
  /**
   * Fires when a port-out PIN is generated.
   *
   * The object may hold the PIN: keep all of it out of logs.
   */
  "sim.port_out_pin_generated": EventOf<"sim.port_out_pin_generated", Sim>;
  /** Fires when the port-out PIN is cleared. */
  "sim.port_out_pin_cleared": EventOf<"sim.port_out_pin_cleared", Sim>;
  /**
   * Fires when a SIM record is created.
   *
   * @deprecated Of an earlier catalog; today `sim.provisioned`.
   */
  "sim.ordered": EventOf<"sim.ordered", Sim>;
  /**
   * Fires when the SIM moves back to active.
   *
   * @deprecated Of an earlier catalog; today `sim.restored`.
   */
  "sim.reinstated": EventOf<"sim.reinstated", Sim>;
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * @deprecated Of an earlier catalog; today `sim.swapped`.
   */
  "sim.swap_completed": EventOf<"sim.swap_completed", Sim>;
}
