import * as z from "zod/mini";
import type { ReferralEvents } from "../../catalog/referral.ts";
import { once, count, data, resource, text, type Rows } from "./fields.ts";

const aReferral = once(() => resource({ reason: text() }));
const rewardFields = () => ({
  referral_id: z.string(),
  step_index: z.number(),
  recipient: z.unknown(),
  amount_cents: z.number(),
});
const reward = () => resource(rewardFields());
const fulfilledReward = () => resource({ ...rewardFields(), credit_ref: z.string() });
const forfeitedReward = () =>
  resource({
    referral_id: text(),
    step_index: count(),
    recipient: z.optional(z.unknown()),
    amount_cents: count(),
    reason: text(),
  });

export const referralRows = {
  "referral.created": () => data(aReferral()),
  "referral.reward.earned": () => data(reward()),
  "referral.reward.fulfilled": () => data(fulfilledReward()),
  "referral.reward.forfeited": () => data(forfeitedReward()),
  "referral.completed": () => data(aReferral()),
  "referral.voided": () => data(aReferral()),
} satisfies Rows<ReferralEvents>;
