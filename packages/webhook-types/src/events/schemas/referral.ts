import * as z from "zod/mini";
import { eventData, maybeNumber, maybeString, resource, shared } from "../fields.ts";

/** Public ids, no personal data. */
export const Referral = shared(() => resource({ reason: maybeString() }));

export const ReferralReward = shared(() =>
  resource({
    referral_id: z.string(),
    step_index: z.number(),
    /** Who gets the reward. The spec does not show its form. */
    recipient: z.unknown(),
    amount_cents: z.number(),
  }),
);

export const FulfilledReward = () => z.extend(ReferralReward(), { credit_ref: z.string() });

/** A reward that will never be earned; it may not have come to an amount. */
export const ForfeitedReward = () =>
  resource({
    referral_id: maybeString(),
    step_index: maybeNumber(),
    recipient: z.optional(z.unknown()),
    amount_cents: maybeNumber(),
    /**
     * The referee cancelled, a counted invoice was refunded, the referrer is no longer a customer, a cap was reached, or
     * the referral was voided.
     */
    reason: maybeString(),
  });

/** Referral events, by type. */
export const ReferralEvents = {
  /** Fires when a signup is attributed to a referral code; no money has moved. */
  "referral.created": () => eventData(Referral()),
  /**
   * Fires when a reward step resolved to an amount; data.object carries `referral_id`,
   * `step_index`, `recipient`, `amount_cents` and the triggering invoice; amount frozen here.
   */
  "referral.reward.earned": () => eventData(ReferralReward()),
  /**
   * Fires when the credit landed; carries `credit_ref`; `balance.credited` with kind referral also
   * fires for the same money, so drive accounting from only one.
   */
  "referral.reward.fulfilled": () => eventData(FulfilledReward()),
  /**
   * Fires when a step will never be earned; reason: referee cancelled, counted invoice refunded,
   * referrer no longer a customer, cap reached, or referral voided.
   */
  "referral.reward.forfeited": () => eventData(ForfeitedReward()),
  /** Fires when every reward step has a final outcome. */
  "referral.completed": () => eventData(Referral()),
  /** Fires when an operator reversed a mistaken attribution, with reason recorded. */
  "referral.voided": () => eventData(Referral()),
};
