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
import { carries, lacks, stating } from "../statements.ts";

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

const credit = () => ({
  /**
   * The reference of the credit. The spec does not say whether it is in `data` or in `data.object`:
   * `fieldOf(event, "credit_ref")` looks in both.
   */
  credit_ref: maybeString(),
});

/** A reward whose credit was applied. */
export const FulfilledReward = () => z.extend(ReferralReward(), { ...credit() });

/** The data of a reward whose credit was applied. */
export const FulfilledRewardData = () => z.extend(eventData(FulfilledReward()), { ...credit() });

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

const isClean = lacks("email", "phone", "date_of_birth");
const referral = shared(() => stating(eventData(Referral()), isClean));

/** Referral events, by type. These events fire only if the referrals product is switched on for the operator. */
export const ReferralEvents = {
  /** Fires when a signup is attributed to a referral code. No money has moved yet. */
  "referral.created": () => referral(),
  /**
   * Fires when the amount of a reward step is decided. The amount does not change afterwards.
   *
   * `data.object` carries `referral_id`, `step_index`, `recipient`, `amount_cents` and the invoice that triggered the
   * reward.
   */
  "referral.reward.earned": () => stating(eventData(ReferralReward()), isClean),
  /**
   * Fires when the credit of a reward is applied. The event carries `credit_ref`.
   *
   * `balance.credited` with the `kind` `referral` also fires for the same money: use only one of the two for accounting.
   */
  "referral.reward.fulfilled": () => stating(FulfilledRewardData(), carries("credit_ref"), isClean),
  /**
   * Fires when a reward step can no longer be earned.
   *
   * The reason is one of these: the referee canceled, a counted invoice was refunded, the referrer is no longer a customer,
   * a cap was reached, or the referral was voided.
   */
  "referral.reward.forfeited": () => stating(eventData(ForfeitedReward()), isClean),
  /** Fires when every reward step has a final outcome. */
  "referral.completed": () => referral(),
  /** Fires when an operator reverses a mistaken attribution. The reason is recorded. */
  "referral.voided": () => referral(),
};
