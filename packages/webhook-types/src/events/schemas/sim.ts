import * as z from "zod/mini";
import {
  changeData,
  eventData,
  guess,
  maybeBoolean,
  maybeNumber,
  maybeString,
  open,
  openEnum,
  resource,
  secret,
  sensitive,
  shared,
  someBoolean,
  someNumber,
  someString,
  stringOrNull,
} from "../fields.ts";
import { SubscriptionStatus } from "./subscription.ts";

const phoneNumber = () => sensitive("personal", z.string());

/** The state of a SIM. */
export const SimState = () => openEnum("provisioned", "active", "suspended", "deactivated");

/** A limit of the video quality. */
export const VideoQuality = () => openEnum("480p");

/** Notes of the service about a SIM. */
export const SimMetadata = () =>
  open({
    /** The end of a number hold. */
    carrier_held_until: maybeString(),
  });

/** A SIM. */
export const Sim = shared(() =>
  resource({
    /** The state of the SIM. The service may add values. */
    state: guess(z.nullish(SimState())),
    /** Notes of the service about the SIM. */
    metadata: guess(z.nullish(SimMetadata())),
    /** In `sim.reassigned`, the payer; in `sim.linked`, the member, if the line belongs to a group. */
    subscriber_id: maybeString(),
    /** The member who uses the line. */
    holder_subscriber_id: maybeString(),
    /** The id of the subscription; `null` for none. */
    subscription_id: maybeString(),
    /** The id of the line in a group subscription; `null` for none. */
    subscription_line_id: maybeString(),
    /** Your own id of the subscriber. It may be an e-mail address, so it is hidden in logs. */
    external_subscriber_id: guess(z.nullish(sensitive("personal", z.string()))),
    /** The status of the subscription. The service may add values. */
    subscription_status: guess(z.nullish(SubscriptionStatus())),
    /** A phone number: personal data. */
    msisdn: guess(z.nullish(phoneNumber())),
    /** The data boost, in megabytes. */
    boost_mb: maybeNumber(),
    /** Whether scam blocking is on. */
    scam_block_enabled: maybeBoolean(),
    /** The video quality. The spec names only `480p`. */
    video_quality: guess(z.nullish(VideoQuality())),
    /** The priority service code. The spec does not show its form. */
    wps: guess(z.optional(z.unknown())),
  }),
);

/** A SIM with its install string. */
export const InstallableSim = shared(() =>
  z.extend(Sim(), {
    /**
     * The eSIM install string: anyone who has it can install the line.
     *
     * Missing if the endpoint's `enabled_events` has only `*`; present if it names the type or `sim.*`.
     */
    activation_code: guess(z.nullish(secret())),
  }),
);

/** What a cleared SIM was bound to. `null` for anything that it was not bound to. */
export const ClearedSimBefore = () =>
  open({
    /** The subscriber before; `null` for none. */
    subscriber_id: stringOrNull(),
    /** The subscription before; `null` for none. */
    subscription_id: stringOrNull(),
    /** The line before; `null` for none. */
    subscription_line_id: stringOrNull(),
    /** The phone number before: personal data. */
    msisdn: guess(z.nullable(phoneNumber())),
  });

/** The data of a SIM that was cleared. */
export const ClearedSimData = () =>
  z.extend(changeData(Sim(), ClearedSimBefore()), {
    /** `deactivated` or `provisioned`. The spec names it here; `object.state` is part of the snapshot. */
    state: guess(z.nullish(SimState())),
  });

/** The placement of a reassigned SIM. `reassignmentOf` reads it as the spec advises. */
export const ReassignedSim = () =>
  z.extend(Sim(), {
    /** The payer. */
    subscriber_id: someString(),
    /** The member who uses the line. Mirror this one. */
    holder_subscriber_id: someString(),
    /** The subscription that the SIM now belongs to. */
    subscription_id: someString(),
    /** The line that the SIM now belongs to; `null` for none. */
    subscription_line_id: stringOrNull(),
    /** Your own id of the subscriber. It may be an e-mail address, so it is hidden in logs. */
    external_subscriber_id: guess(z.nullable(sensitive("personal", z.string()))),
    /** Take the new status from here. */
    subscription_status: guess(SubscriptionStatus()),
  });

/** Where a reassigned SIM was before. */
export const ReassignedSimBefore = () =>
  open({
    /** The payer before. */
    subscriber_id: stringOrNull(),
    /** The subscription before. */
    subscription_id: stringOrNull(),
    /** The line before; `null` for none. */
    subscription_line_id: stringOrNull(),
    /** Re-point a mirrored subscription only when this is `cancelled`. */
    subscription_status: guess(z.nullable(SubscriptionStatus())),
  });

/** A SIM whose scam blocking was switched on or off. */
export const ScamBlockSim = () =>
  z.extend(Sim(), {
    /** Whether scam blocking is on now. */
    scam_block_enabled: someBoolean(),
  });

/** A SIM whose video quality changed. */
export const VideoQualitySim = () =>
  z.extend(Sim(), {
    /** The video quality now. */
    video_quality: guess(VideoQuality()),
    /** The video quality before. */
    previous_video_quality: guess(z.nullable(VideoQuality())),
    /** Lowered because of data use, and not yet raised again. */
    video_stepped_down: someBoolean(),
  });

/** A SIM whose priority service code changed. */
export const PrioritySim = () =>
  z.extend(Sim(), {
    /** The priority service code now. The spec does not show its form. */
    wps: guess(z.unknown()),
  });

/** A SIM that lost a part of its data boost. */
export const ReducedBoostSim = () =>
  z.extend(Sim(), {
    /** The rest of the boost, in megabytes. */
    boost_mb: someNumber(),
    /** The removed part, in megabytes. */
    boost_mb_removed: someNumber(),
  });

/** A SIM for which an eSIM profile was issued. */
export const ProfileSim = () =>
  z.extend(Sim(), {
    /** When the profile expires. */
    profile_expires_at: someString(),
  });

/** The spec does not say which field holds the PIN, if any. Every field of the object is therefore hidden in logs. */
const simWithPin = () => sensitive("personal", z.extend(Sim(), {}));

/** SIM events, by type. */
export const SimEvents = {
  /**
   * Fires when a SIM record is created and provisioned.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.provisioned": () => eventData(InstallableSim()),
  /** Fires when an existing SIM is imported (migration). */
  "sim.imported": () => eventData(Sim()),
  /** Fires when activation is requested from the carrier. */
  "sim.activation_started": () => eventData(Sim()),
  /**
   * Fires when the carrier confirms activation.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.activated": () => eventData(InstallableSim()),
  /** Fires when the carrier rejects activation. */
  "sim.activation_failed": () => eventData(Sim()),
  /** Fires when activation has stalled and needs operator resolution. */
  "sim.activation_resolution_required": () => eventData(Sim()),
  /** Fires when a SIM moves to suspended. */
  "sim.suspended": () => eventData(Sim()),
  /** Fires when a SIM moves from suspended back to active. */
  "sim.restored": () => eventData(Sim()),
  /** Fires when a SIM is deactivated, for good. */
  "sim.deactivated": () => eventData(Sim()),
  /**
   * Fires when a SIM is released to unassigned stock (operator clear, or card freed after an
   * abandoned port-in); `data.state` is deactivated or provisioned; `metadata.carrier_held_until`
   * marks the end of a number hold; `previous_attributes` holds `subscriber_id`,
   * `subscription_id`, `subscription_line_id` (null if none) and msisdn.
   */
  "sim.cleared": () => ClearedSimData(),
  /**
   * Fires when unassigned stock is bound to a subscriber; carries the link target (on a group
   * line, the member, not the payer).
   */
  "sim.linked": () => eventData(Sim()),
  /**
   * Fires when a fresh carrier read is recorded; fires on every sync including no-change ones,
   * alongside any `sim.suspended` or `sim.deactivated` it found.
   *
   * So it does not mean that anything changed.
   */
  "sim.synced": () => eventData(Sim()),
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * `activation_code` is absent where the endpoint's `enabled_events` has only `*`.
   */
  "sim.swapped": () => eventData(InstallableSim()),
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
  "sim.reassigned": () => changeData(ReassignedSim(), ReassignedSimBefore()),
  /** Fires when the SIM's provisioned products change. */
  "sim.products_updated": () => eventData(Sim()),
  /**
   * Fires when scam blocking is switched on or off; carries `scam_block_enabled`; only on plans that
   * include scam protection.
   */
  "sim.scam_block_changed": () => eventData(ScamBlockSim()),
  /**
   * Fires when video quality changes because the plan sets `video_step_down_after_mb`; lowered to
   * 480p when cycle data use reaches it, raised at the next cycle or by a data boost; carries
   * `video_quality`, `previous_video_quality`, `video_stepped_down`.
   */
  "sim.video_quality_changed": () => eventData(VideoQualitySim()),
  /** Fires when the priority service code changes; carries `wps`. */
  "sim.wps_changed": () => eventData(PrioritySim()),
  /** Fires when the MSISDN changes. */
  "sim.msisdn_changed": () => eventData(Sim()),
  /** Fires when a data boost is applied. */
  "sim.boosted": () => eventData(Sim()),
  /** Fires when a data boost window ends (also a whole-grant reversal). */
  "sim.boost_expired": () => eventData(Sim()),
  /**
   * Fires when part of an accumulated boost is taken back; carries `boost_mb`
   * and `boost_mb_removed`.
   */
  "sim.boost_reduced": () => eventData(ReducedBoostSim()),
  /**
   * Fires when an eSIM profile is issued; carries the SIM and `profile_expires_at`, never the
   * profile.
   */
  "sim.esim_profile_downloaded": () => eventData(ProfileSim()),
  /** Fires when a SIM is throttled after crossing a usage cap. */
  "sim.throttled": () => eventData(Sim()),
  /** Fires when throttling is lifted (cycle rollover or manual). */
  "sim.throttle_cleared": () => eventData(Sim()),
  /**
   * Fires when a port-out PIN is generated.
   *
   * The object may hold the PIN: keep all of it out of logs.
   */
  "sim.port_out_pin_generated": () => eventData(simWithPin()),
  /** Fires when the port-out PIN is cleared. */
  "sim.port_out_pin_cleared": () => eventData(Sim()),
  /**
   * Fires when a SIM record is created.
   *
   * @deprecated Of an earlier catalog; today `sim.provisioned`.
   */
  "sim.ordered": () => eventData(Sim()),
  /**
   * Fires when the SIM moves back to active.
   *
   * @deprecated Of an earlier catalog; today `sim.restored`.
   */
  "sim.reinstated": () => eventData(Sim()),
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * @deprecated Of an earlier catalog; today `sim.swapped`.
   */
  "sim.swap_completed": () => eventData(Sim()),
};
