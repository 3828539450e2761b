import type { ReferralEvents } from "../generated/interfaces.ts";
import type { Samples } from "../samples.ts";

const referral = { id: "ref_01JD3Z15G7" };
const reward = {
  referral_id: referral.id,
  step_index: 0,
  recipient: "referrer",
  amount_cents: 1_000,
};

export const referralSamples: Samples<ReferralEvents> = {
  "referral.created": { object: referral },
  "referral.reward.earned": { object: reward },
  "referral.reward.fulfilled": { object: { ...reward, credit_ref: "bal_01JD3YR8M1" } },
  "referral.reward.forfeited": { object: { ...reward, reason: "cap reached" } },
  "referral.completed": { object: referral },
  "referral.voided": { object: { ...referral, reason: "mistaken attribution" } },
};
