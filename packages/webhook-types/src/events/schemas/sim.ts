import * as z from "@fieldmesh/core/internal/zod";
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
  someString,
  stringOrNull,
} from "../fields.ts";
import { carries, carriesOrNull, fits, lacks, says, stating } from "../statements.ts";
import { SubscriptionStatus } from "./subscription.ts";

const phoneNumber = () => sensitive("personal", z.string());

/** The state of a SIM. */
export const SimState = () => openEnum("provisioned", "active", "suspended", "deactivated");

/** A limit of the video quality. */
export const VideoQuality = () => openEnum("480p");

/** The metadata of a SIM. The spec says only that it may hold `carrier_held_until`. */
export const SimMetadata = () =>
  open({
    /** When the number hold ends. */
    carrier_held_until: maybeString(),
  });

/** A SIM. */
export const Sim = shared(() =>
  resource({
    /** The state of the SIM. The spec does not say that the list is complete. */
    state: guess(z.nullish(SimState())),
    /** The spec says only that it may hold `carrier_held_until`. */
    metadata: guess(z.nullish(SimMetadata())),
    /**
     * The id of the subscriber; in `sim.reassigned`, the payer. `sim.linked` carries the target of the link in this field or in
     * `holder_subscriber_id`: the spec names neither.
     */
    subscriber_id: maybeString(),
    /** The member who uses the line. */
    holder_subscriber_id: maybeString(),
    /** The id of the subscription; `null` if there is none. */
    subscription_id: maybeString(),
    /** The id of the line in a group subscription; `null` if there is none. */
    subscription_line_id: maybeString(),
    /** An external id of the subscriber. The spec does not show its form: it may be an email address, so it is hidden in logs. */
    external_subscriber_id: guess(z.nullish(sensitive("personal", z.string()))),
    /** The status of the subscription. The service may add values: `canceled` and `draft` are in use (observed). */
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
     * Absent if the endpoint's `enabled_events` has only `*`; present if it has the type itself or `sim.*`.
     */
    activation_code: guess(z.nullish(secret())),
  }),
);

/** What a cleared SIM was bound to. A field is `null` if the SIM was not bound to such a record. */
export const ClearedSimBefore = () =>
  open({
    /** The previous subscriber; `null` if there was none. */
    subscriber_id: stringOrNull(),
    /** The previous subscription; `null` if there was none. */
    subscription_id: stringOrNull(),
    /** The previous line; `null` if there was none. */
    subscription_line_id: stringOrNull(),
    /** The previous phone number: personal data. */
    msisdn: guess(z.nullable(phoneNumber())),
  });

/** The data of a SIM that was cleared. */
export const ClearedSimData = () =>
  z.extend(changeData(Sim(), ClearedSimBefore()), {
    /**
     * The state after the release: `deactivated` or `provisioned`. The spec puts it here. `data.object.state` is the state
     * in the snapshot.
     */
    state: guess(z.nullish(SimState())),
  });

/** The placement of a reassigned SIM. `reassignmentOf` reads it as the spec advises. */
export const ReassignedSim = () =>
  z.extend(Sim(), {
    /** The payer. */
    subscriber_id: someString(),
    /** The member who uses the line. Mirror this subscriber. */
    holder_subscriber_id: someString(),
    /** The subscription that the SIM now belongs to. */
    subscription_id: someString(),
    /** The line that the SIM now belongs to; `null` if there is none. */
    subscription_line_id: stringOrNull(),
    /** An external id of the subscriber. The spec does not show its form: it may be an email address, so it is hidden in logs. */
    external_subscriber_id: guess(z.nullable(sensitive("personal", z.string()))),
    /** Take the new status from here. `canceled` and `draft` are in use beside the values of the spec (observed). */
    subscription_status: guess(SubscriptionStatus()),
  });

/** Where a reassigned SIM was before. */
export const ReassignedSimBefore = () =>
  open({
    /** The previous payer. */
    subscriber_id: stringOrNull(),
    /** The previous subscription. */
    subscription_id: stringOrNull(),
    /** The previous line; `null` if there was none. */
    subscription_line_id: stringOrNull(),
    /** Re-point a mirrored subscription only when this is `cancelled`. It may be spelled `canceled` (observed). */
    subscription_status: guess(z.nullable(SubscriptionStatus())),
  });

// The spec says that an event carries these fields, and not whether they are in `data` or in `data.object`.

const scamBlock = () => ({
  /** Whether scam blocking is on now. `fieldOf(event, "scam_block_enabled")` reads it from the object or from `data`. */
  scam_block_enabled: maybeBoolean(),
});

/** A SIM whose scam blocking was switched on or off. */
export const ScamBlockSim = () => z.extend(Sim(), { ...scamBlock() });

/** The data of `sim.scam_block_changed`. */
export const ScamBlockSimData = () => z.extend(eventData(ScamBlockSim()), { ...scamBlock() });

const video = () => ({
  /** The video quality now. `fieldOf(event, "video_quality")` reads it from the object or from `data`, like the other two. */
  video_quality: guess(z.nullish(VideoQuality())),
  /** The previous video quality. */
  previous_video_quality: guess(z.nullish(VideoQuality())),
  /** Whether the quality was lowered because of data use and has not been raised again. */
  video_stepped_down: maybeBoolean(),
});

/** A SIM whose video quality changed. */
export const VideoQualitySim = () => z.extend(Sim(), { ...video() });

/** The data of `sim.video_quality_changed`. */
export const VideoQualitySimData = () => z.extend(eventData(VideoQualitySim()), { ...video() });

const priority = () => ({
  /**
   * The priority service code now. The spec does not show its form. `fieldOf(event, "wps")` reads it from the object or from
   * `data`.
   */
  wps: guess(z.optional(z.unknown())),
});

/** A SIM whose priority service code changed. */
export const PrioritySim = () => z.extend(Sim(), { ...priority() });

/** The data of `sim.wps_changed`. */
export const PrioritySimData = () => z.extend(eventData(PrioritySim()), { ...priority() });

const reduction = () => ({
  /** The remaining boost, in megabytes. `fieldOf(event, "boost_mb")` reads it from the object or from `data`. */
  boost_mb: maybeNumber(),
  /** The part that was taken back, in megabytes. `fieldOf(event, "boost_mb_removed")` reads it from either place. */
  boost_mb_removed: maybeNumber(),
});

/** A SIM that lost a part of its data boost. */
export const ReducedBoostSim = () => z.extend(Sim(), { ...reduction() });

/** The data of `sim.boost_reduced`. */
export const ReducedBoostSimData = () => z.extend(eventData(ReducedBoostSim()), { ...reduction() });

const profile = () => ({
  /** When the profile expires. `fieldOf(event, "profile_expires_at")` reads it from the object or from `data`. */
  profile_expires_at: maybeString(),
});

/** A SIM for which an eSIM profile was issued. */
export const ProfileSim = () => z.extend(Sim(), { ...profile() });

/** The data of `sim.esim_profile_downloaded`. */
export const ProfileSimData = () => z.extend(eventData(ProfileSim()), { ...profile() });

/** The spec does not say which field holds the PIN, if any. Every field of the object is therefore hidden in logs. */
const simWithPin = () => sensitive("personal", z.extend(Sim(), {}));

const simThatIs = (state: string) => stating(eventData(Sim()), says("object.state", [state]));
const RELEASED: readonly unknown[] = ["deactivated", "provisioned"];

/** SIM events, by type. */
export const SimEvents = {
  /**
   * Fires when a SIM record is created and provisioned.
   *
   * The body lacks `activation_code` if the endpoint's `enabled_events` has only `*`.
   */
  "sim.provisioned": () => eventData(InstallableSim()),
  /** Fires when an existing SIM is imported in a migration. */
  "sim.imported": () => eventData(Sim()),
  /** Fires when activation is requested from the carrier. */
  "sim.activation_started": () => eventData(Sim()),
  /**
   * Fires when the carrier confirms activation.
   *
   * The body lacks `activation_code` if the endpoint's `enabled_events` has only `*`.
   */
  "sim.activated": () => eventData(InstallableSim()),
  /** Fires when the carrier rejects activation. */
  "sim.activation_failed": () => eventData(Sim()),
  /** Fires when activation is stalled and the operator must resolve it. */
  "sim.activation_resolution_required": () => eventData(Sim()),
  /** Fires when a SIM is suspended. */
  "sim.suspended": () => simThatIs("suspended"),
  /** Fires when a suspended SIM becomes active again. */
  "sim.restored": () =>
    stating(simThatIs("active"), says("previous_attributes.state", ["suspended"])),
  /** Fires when a SIM is deactivated permanently. */
  "sim.deactivated": () => simThatIs("deactivated"),
  /**
   * Fires when a SIM is released to unassigned stock: an operator cleared it, or its card became free after an abandoned
   * port-in.
   *
   * `data.state` is `deactivated` or `provisioned`. `metadata.carrier_held_until` is the end of a number hold.
   * `previous_attributes` holds `subscriber_id`, `subscription_id`, `subscription_line_id` (`null` if there was none) and
   * `msisdn`.
   */
  "sim.cleared": () =>
    stating(
      ClearedSimData(),
      carries("state"),
      says("state", RELEASED, "unless-strict"),
      // `data.state` has it, according to the spec.
      fits(
        "object.state",
        RELEASED.join(" or "),
        (state, data) => (data["state"] ?? null) !== null || RELEASED.includes(state),
      ),
    ),
  /**
   * Fires when a SIM from unassigned stock is linked to a subscriber. The event carries the target of the link: on a group
   * line, the member and not the payer.
   */
  "sim.linked": () =>
    stating(eventData(Sim()), (data) =>
      carries("subscriber_id")(data).length > 0 ? carries("holder_subscriber_id")(data) : [],
    ),
  /**
   * Fires when the service records a fresh read from the carrier. It fires on every sync, even if nothing changed, and in
   * addition to any `sim.suspended` or `sim.deactivated` event for a change that the sync found.
   */
  "sim.synced": () => eventData(Sim()),
  /**
   * Fires when a new SIM takes over the MSISDN.
   *
   * The body lacks `activation_code` if the endpoint's `enabled_events` has only `*`.
   */
  "sim.swapped": () => eventData(InstallableSim()),
  /**
   * Fires when the placement of a SIM changes: it was reassigned explicitly, or reused by a new subscription.
   *
   * The object carries `subscriber_id` (the payer), `holder_subscriber_id` (the member who uses the line),
   * `subscription_id`, `subscription_line_id`, `external_subscriber_id` and `subscription_status`. `previous_attributes`
   * carries the old `subscription_id`, `subscriber_id`, `subscription_line_id` and `subscription_status`.
   *
   * To mirror the end user, read `holder_subscriber_id`. Re-point a mirrored subscription only if
   * `previous_attributes.subscription_status` is `cancelled`, and take the new status from `subscription_status`.
   * `reassignmentOf` does this.
   */
  "sim.reassigned": () => changeData(ReassignedSim(), ReassignedSimBefore()),
  /** Fires when the SIM's provisioned products change. */
  "sim.products_updated": () => eventData(Sim()),
  /**
   * Fires when scam blocking is switched on or off. The event carries `scam_block_enabled`. It fires only on plans that
   * include scam protection.
   */
  "sim.scam_block_changed": () => stating(ScamBlockSimData(), carries("scam_block_enabled")),
  /**
   * Fires when the video quality changes because the plan sets `video_step_down_after_mb`. The quality is lowered to 480p
   * when the data use of the cycle reaches that limit. The next cycle or a data boost raises it again.
   *
   * The event carries `video_quality`, `previous_video_quality` and `video_stepped_down`.
   */
  "sim.video_quality_changed": () =>
    stating(
      VideoQualitySimData(),
      carries("video_quality", "video_stepped_down"),
      carriesOrNull("previous_video_quality"),
    ),
  /** Fires when the priority service code changes. The event carries `wps`. */
  "sim.wps_changed": () => stating(PrioritySimData(), carriesOrNull("wps")),
  /** Fires when the MSISDN changes. */
  "sim.msisdn_changed": () => eventData(Sim()),
  /** Fires when a data boost is applied. */
  "sim.boosted": () => eventData(Sim()),
  /** Fires when the time of a data boost ends, or when a whole grant is reversed. */
  "sim.boost_expired": () => eventData(Sim()),
  /** Fires when part of an accumulated boost is taken back. The event carries `boost_mb` and `boost_mb_removed`. */
  "sim.boost_reduced": () =>
    stating(ReducedBoostSimData(), carries("boost_mb", "boost_mb_removed")),
  /** Fires when an eSIM profile is issued. The event carries the SIM and `profile_expires_at`, never the profile. */
  "sim.esim_profile_downloaded": () =>
    stating(ProfileSimData(), carries("profile_expires_at"), lacks("profile", "activation_code")),
  /** Fires when a SIM is throttled because it crossed a usage cap. */
  "sim.throttled": () => eventData(Sim()),
  /** Fires when throttling is lifted, by a new cycle or manually. */
  "sim.throttle_cleared": () => eventData(Sim()),
  /**
   * Fires when a port-out PIN is generated.
   *
   * The object may contain the PIN: keep all of it out of logs.
   */
  "sim.port_out_pin_generated": () => eventData(simWithPin()),
  /** Fires when the port-out PIN is cleared. */
  "sim.port_out_pin_cleared": () => eventData(Sim()),
  /** Fires when a SIM record is created. @deprecated Of an earlier catalog; today likely `sim.provisioned`. */
  "sim.ordered": () => eventData(Sim()),
  /** Fires when a SIM becomes active again. @deprecated Of an earlier catalog; today likely `sim.restored`. */
  "sim.reinstated": () => simThatIs("active"),
  /** Fires when a new SIM takes over the MSISDN. @deprecated Of an earlier catalog; today likely `sim.swapped`. */
  "sim.swap_completed": () => eventData(Sim()),
};
