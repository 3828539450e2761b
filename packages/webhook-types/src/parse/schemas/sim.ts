import * as z from "zod/mini";
import type { SimEvents } from "../../catalog/sim.ts";
import {
  once,
  change,
  count,
  data,
  open,
  openEnum,
  resource,
  secret,
  sensitive,
  text,
  type Rows,
} from "./fields.ts";
import { subscriptionStatus } from "./subscription.ts";

const phoneNumber = () => sensitive("personal", z.string());

const simFields = () => ({
  state: z.nullish(simState()),
  metadata: z.nullish(open({ carrier_held_until: text() })),
  subscriber_id: text(),
  holder_subscriber_id: text(),
  subscription_id: text(),
  subscription_line_id: text(),
  external_subscriber_id: text(),
  subscription_status: z.nullish(subscriptionStatus()),
  msisdn: z.nullish(phoneNumber()),
  boost_mb: count(),
  scam_block_enabled: z.nullish(z.boolean()),
  video_quality: z.nullish(videoQuality()),
  wps: z.optional(z.unknown()),
});
const simState = () => openEnum("provisioned", "active", "suspended", "deactivated");
const videoQuality = () => openEnum("480p");

const sim = once(() => resource(simFields()));
const installableSim = once(() =>
  resource({ ...simFields(), activation_code: z.nullish(secret()) }),
);
const clearedSimBefore = () =>
  open({
    subscriber_id: z.nullable(z.string()),
    subscription_id: z.nullable(z.string()),
    subscription_line_id: z.nullable(z.string()),
    msisdn: z.nullable(phoneNumber()),
  });
const clearedSimData = () =>
  z.extend(change(sim(), clearedSimBefore()), { state: z.nullish(simState()) });
const reassignedSim = () =>
  resource({
    ...simFields(),
    subscriber_id: z.string(),
    holder_subscriber_id: z.string(),
    subscription_id: z.string(),
    subscription_line_id: z.nullable(z.string()),
    external_subscriber_id: z.nullable(z.string()),
    subscription_status: subscriptionStatus(),
  });
const reassignedSimBefore = () =>
  open({
    subscriber_id: z.nullable(z.string()),
    subscription_id: z.nullable(z.string()),
    subscription_line_id: z.nullable(z.string()),
    subscription_status: z.nullable(subscriptionStatus()),
  });
const scamBlockSim = () => resource({ ...simFields(), scam_block_enabled: z.boolean() });
const videoQualitySim = () =>
  resource({
    ...simFields(),
    video_quality: videoQuality(),
    previous_video_quality: z.nullable(videoQuality()),
    video_stepped_down: z.boolean(),
  });
const prioritySim = () => resource({ ...simFields(), wps: z.unknown() });
const reducedBoostSim = () =>
  resource({ ...simFields(), boost_mb: z.number(), boost_mb_removed: z.number() });
const profileSim = () => resource({ ...simFields(), profile_expires_at: z.string() });
/** The spec does not say where the PIN stands, if at all: so all of it. */
const simWithPin = () => sensitive("secret", resource(simFields()));

export const simRows = {
  "sim.provisioned": () => data(installableSim()),
  "sim.imported": () => data(sim()),
  "sim.activation_started": () => data(sim()),
  "sim.activated": () => data(installableSim()),
  "sim.activation_failed": () => data(sim()),
  "sim.activation_resolution_required": () => data(sim()),
  "sim.suspended": () => data(sim()),
  "sim.restored": () => data(sim()),
  "sim.deactivated": () => data(sim()),
  "sim.cleared": clearedSimData,
  "sim.linked": () => data(sim()),
  "sim.synced": () => data(sim()),
  "sim.swapped": () => data(installableSim()),
  "sim.reassigned": () => change(reassignedSim(), reassignedSimBefore()),
  "sim.products_updated": () => data(sim()),
  "sim.scam_block_changed": () => data(scamBlockSim()),
  "sim.video_quality_changed": () => data(videoQualitySim()),
  "sim.wps_changed": () => data(prioritySim()),
  "sim.msisdn_changed": () => data(sim()),
  "sim.boosted": () => data(sim()),
  "sim.boost_expired": () => data(sim()),
  "sim.boost_reduced": () => data(reducedBoostSim()),
  "sim.esim_profile_downloaded": () => data(profileSim()),
  "sim.throttled": () => data(sim()),
  "sim.throttle_cleared": () => data(sim()),
  "sim.port_out_pin_generated": () => data(simWithPin()),
  "sim.port_out_pin_cleared": () => data(sim()),
  "sim.ordered": () => data(sim()),
  "sim.reinstated": () => data(sim()),
  "sim.swap_completed": () => data(sim()),
} satisfies Rows<SimEvents>;
