import * as z from "@fieldmesh/core/internal/zod";
import type { SchemaOf } from "@fieldmesh/core/internal/schema";
import { endpoint, type Methods } from "@fieldmesh/http/internal";
import { inFlight, notFound, ofSubscriber, openBody, openRecord, usualErrors } from "./fields.ts";

const positive = <T>() =>
  z.custom<T>(isPositive, "must be more than 0: only credits are issued here");

/** Leaves anything else to the service, such as an amount with its currency. */
function isPositive(amount: unknown): boolean {
  // JSON has no infinity: it would be sent as null.
  if (typeof amount === "number") return amount > 0 && Number.isFinite(amount);
  if (typeof amount === "bigint") return amount > 0;
  return typeof amount !== "string" || !(Number(amount) <= 0);
}

const newCreditFields = openBody({
  /** More than 0, in the smallest unit of the currency. */
  amount_cents: z.optional(positive<number>()),
  /** More than 0; for a deployment that reads the amount under this name. */
  amount: z.optional(positive<number | string | object>()),
});

/**
 * The input for a credit. The published spec names none of its fields, but says that the amount is positive: it is checked under
 * the two names below. Every other field that you pass is sent unchanged, such as a currency.
 */
export interface NewBalanceCredit extends z.output<typeof newCreditFields> {}

/** An issued credit. The published spec lists none of its fields. */
export interface BalanceCredit extends z.output<typeof openRecord> {}

const NewBalanceCredit: SchemaOf<NewBalanceCredit, typeof newCreditFields> = newCreditFields;
const BalanceCredit: SchemaOf<BalanceCredit, typeof openRecord> = openRecord;

/** The endpoints of balance credits, one row for each. The client makes the methods of `client.balanceCredits` from them. */
export const balanceCredits = {
  /**
   * Issue a positive credit to the account of a subscriber. Emits `balance.credited`.
   *
   * An amount of 0 or less throws an InputError before anything is sent. After a timeout, a lost connection or a 5xx, the credit
   * may have been issued. The client retries it only with its option `trustIdempotencyKeys`. The published spec does not describe
   * the response: the output is the record (observed), or `undefined` if the response has none.
   *
   * @throws An {@link ApiError} with 400, 401, 403, 404, 409 or 422 (observed). Its message explains the status
   * @throws A {@link CallError} for every other failure
   * @example
   * ```ts
   * await client.balanceCredits.create({ id: subscriber_id, amount_cents: 500 });
   * ```
   */
  create: endpoint("POST /v1/subscribers/:id/balance_credits", {
    path: ofSubscriber,
    body: NewBalanceCredit,
    result: BalanceCredit,
    status: 201,
    open: "optional",
    idempotencyKey: true,
    errors: { ...usualErrors, ...notFound, ...inFlight },
  }),
};

/** Credits to the accounts of subscribers. */
export interface BalanceCredits extends Methods<typeof balanceCredits> {}
