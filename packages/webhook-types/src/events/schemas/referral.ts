import * as z from "@fieldmesh/core/internal/zod";
import {
  eventData,
  guess,
  maybeNumber,
  maybeString,
  resource,
  sensitive,
  shared,
  someNumber,
  someString,
} from "../fields.ts";

/** A reason that a person wrote is hidden in logs. */
const reason = () => guess(z.nullish(sensitive("personal", z.string())));

/** A referral. It carries public ids and no personal data. */
export const Referral = shared(() =>
  resource({
    /** The recorded reason, for a voided referral. Hidden in logs. */
    reason: reason(),
  }),
);

/** A reward of a referral. */
export const ReferralReward = shared(() =>
  resource({
    /** The id of the referral. */
    referral_id: someString(),
    /** The step of the reward program. */
    step_index: someNumber(),
    /** The recipient of the reward. The spec does not show its form. */
    recipient: guess(z.unknown()),
    /** The amount, in cents. It does not change after the reward is earned. */
    amount_cents: someNumber(),
  }),
);

/** A reward whose credit was applied. */
export const FulfilledReward = () =>
  z.extend(ReferralReward(), {
    /** The reference of the credit. */
    credit_ref: someString(),
  });

/** A reward that will never be earned. It may have no amount. */
export const ForfeitedReward = () =>
  resource({
    /** The id of the referral. */
    referral_id: maybeString(),
    /** The step of the reward program. */
    step_index: maybeNumber(),
    /** The person who would have received the reward. The spec does not show its form. */
    recipient: guess(z.optional(z.unknown())),
    /** The amount, if there was one. */
    amount_cents: maybeNumber(),
    /**
     * The referee canceled, a counted invoice was refunded, the referrer is no longer a customer, a cap was reached, or
     * the referral was voided.
     */
    reason: reason(),
  });

/** Referral events, by type. These events fire only if the referrals product is switched on for the operator. */
export const ReferralEvents = {
  /** Fires when a signup is attributed to a referral code. No money has moved yet. */
  "referral.created": () => eventData(Referral()),
  /**
   * Fires when the amount of a reward step is decided. The amount does not change afterwards.
   *
   * `data.object` carries `referral_id`, `step_index`, `recipient`, `amount_cents` and the invoice that triggered the
   * reward.
   */
  "referral.reward.earned": () => eventData(ReferralReward()),
  /**
   * Fires when the credit of a reward is applied. The event carries `credit_ref`.
   *
   * `balance.credited` with the `kind` `referral` also fires for the same money: use only one of the two for accounting.
   */
  "referral.reward.fulfilled": () => eventData(FulfilledReward()),
  /**
   * Fires when a reward step can no longer be earned.
   *
   * The reason is one of these: the referee canceled, a counted invoice was refunded, the referrer is no longer a customer,
   * a cap was reached, or the referral was voided.
   */
  "referral.reward.forfeited": () => eventData(ForfeitedReward()),
  /** Fires when every reward step has a final outcome. */
  "referral.completed": () => eventData(Referral()),
  /** Fires when an operator reverses a mistaken attribution. The reason is recorded. */
  "referral.voided": () => eventData(Referral()),
};
