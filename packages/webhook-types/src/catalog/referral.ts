import type { EventOf, Resource } from "./envelope.ts";

/** Public ids, no personal data. */
export interface Referral extends Resource {
  reason?: string | null | undefined;
}

export interface ReferralReward extends Resource {
  referral_id: string;
  step_index: number;
  /** Who gets the reward. The spec does not show its form. */
  recipient: unknown;
  amount_cents: number;
}

export interface FulfilledReward extends ReferralReward {
  credit_ref: string;
}

/** A reward that will never be earned; it may not have come to an amount. */
export interface ForfeitedReward extends Resource {
  referral_id?: string | null | undefined;
  step_index?: number | null | undefined;
  recipient?: unknown;
  amount_cents?: number | null | undefined;
  /**
   * The referee cancelled, a counted invoice was refunded, the referrer is no longer a customer, a cap was reached, or
   * the referral was voided.
   */
  reason?: string | null | undefined;
}

/** Referral events, by type. */
export interface ReferralEvents {
  /** Fires when a signup is attributed to a referral code; no money has moved. */
  "referral.created": EventOf<"referral.created", Referral>;
  /**
   * Fires when a reward step resolved to an amount; data.object carries `referral_id`,
   * `step_index`, `recipient`, `amount_cents` and the triggering invoice; amount frozen here.
   */
  "referral.reward.earned": EventOf<"referral.reward.earned", ReferralReward>;
  /**
   * Fires when the credit landed; carries `credit_ref`; `balance.credited` with kind referral also
   * fires for the same money, so drive accounting from only one.
   */
  "referral.reward.fulfilled": EventOf<"referral.reward.fulfilled", FulfilledReward>;
  /**
   * Fires when a step will never be earned; reason: referee cancelled, counted invoice refunded,
   * referrer no longer a customer, cap reached, or referral voided.
   */
  "referral.reward.forfeited": EventOf<"referral.reward.forfeited", ForfeitedReward>;
  /** Fires when every reward step has a final outcome. */
  "referral.completed": EventOf<"referral.completed", Referral>;
  /** Fires when an operator reversed a mistaken attribution, with reason recorded. */
  "referral.voided": EventOf<"referral.voided", Referral>;
}
