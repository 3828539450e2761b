import type { SimEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const sim = {
  id: "sim_01JD3YF3T9",
  state: "active",
  msisdn: "+12025550143",
  subscriber_id: "sub_01JD3Y7Q4W8TQ2",
  holder_subscriber_id: "sub_01JD3Y7Q4W8TQ2",
  subscription_id: "subn_01JD3YB2F6",
  subscription_line_id: null,
  external_subscriber_id: null,
  subscription_status: "active",
  metadata: {},
};
const activation_code = "LPA:1$rsp.example.com$2B7E151628AED2A6";
const suspended = { state: "suspended" };
const active = { state: "active" };
const boost = { boost_mb: 5_120 };
const stock = { subscriber_id: null, holder_subscriber_id: null, subscription_id: null };

export const simSamples: Samples<SimEvents> = {
  "sim.provisioned": { object: { ...sim, state: "provisioned", activation_code } },
  "sim.imported": { object: sim },
  "sim.activation_started": { object: { ...sim, state: "provisioned" } },
  "sim.activated": {
    object: { ...sim, activation_code },
    previous_attributes: { state: "provisioned" },
  },
  "sim.activation_failed": { object: { ...sim, state: "provisioned" } },
  "sim.activation_resolution_required": { object: { ...sim, state: "provisioned" } },
  "sim.suspended": { object: { ...sim, ...suspended }, previous_attributes: active },
  "sim.restored": { object: sim, previous_attributes: suspended },
  "sim.deactivated": { object: { ...sim, state: "deactivated" }, previous_attributes: active },
  "sim.cleared": {
    state: "deactivated",
    object: {
      ...sim,
      ...stock,
      state: "deactivated",
      msisdn: null,
      metadata: { carrier_held_until: "2026-12-20T00:00:00Z" },
    },
    previous_attributes: {
      subscriber_id: sim.subscriber_id,
      subscription_id: sim.subscription_id,
      subscription_line_id: null,
      msisdn: sim.msisdn,
    },
  },
  "sim.linked": { object: sim, previous_attributes: stock },
  "sim.synced": { object: sim },
  "sim.swapped": { object: { ...sim, activation_code } },
  "sim.reassigned": {
    object: { ...sim, subscription_id: "subn_01JD3YC9K1", subscription_line_id: "line_01JD3YD4M7" },
    previous_attributes: {
      subscription_id: sim.subscription_id,
      subscriber_id: sim.subscriber_id,
      subscription_line_id: null,
      subscription_status: "cancelled",
    },
  },
  "sim.products_updated": { object: sim },
  "sim.scam_block_changed": { object: { ...sim, scam_block_enabled: true } },
  "sim.video_quality_changed": {
    object: {
      ...sim,
      video_quality: "480p",
      previous_video_quality: "1080p",
      video_stepped_down: true,
    },
  },
  "sim.wps_changed": { object: { ...sim, wps: "5" } },
  "sim.msisdn_changed": { object: sim, previous_attributes: { msisdn: "+12025550188" } },
  "sim.boosted": { object: { ...sim, ...boost } },
  "sim.boost_expired": { object: { ...sim, boost_mb: 0 } },
  "sim.boost_reduced": { object: { ...sim, boost_mb: 4_096, boost_mb_removed: 1_024 } },
  "sim.esim_profile_downloaded": { object: { ...sim, profile_expires_at: "2026-11-21T08:30:00Z" } },
  "sim.throttled": { object: sim },
  "sim.throttle_cleared": { object: sim },
  "sim.port_out_pin_generated": { object: sim },
  "sim.port_out_pin_cleared": { object: sim },
  "sim.ordered": { object: { ...sim, state: "provisioned" } },
  "sim.reinstated": { object: sim },
  "sim.swap_completed": { object: sim },
};
