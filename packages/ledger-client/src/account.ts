import * as z from "@fieldmesh/core/internal/zod";
import { memberOf, mistake } from "@fieldmesh/core/internal";
import {
  bigInteger,
  count,
  record,
  seen,
  shown,
  type SchemaOf,
} from "@fieldmesh/core/internal/schema";

// The published spec lists only speculative_nonce for these records. All other fields are observed.

const fields = {
  /** The balance, in bones. */
  balance: z.nullish(bigInteger()),
  /** The staked balance, in bones. */
  staked_balance: z.nullish(bigInteger()),
  /** The balance of security tokens, in bones. */
  sec_balance: z.nullish(bigInteger()),
  /** The balance of the mobile token, in its smallest unit. */
  mobile_balance: z.nullish(bigInteger()),
  /** The balance of the IoT token, in its smallest unit. */
  iot_balance: z.nullish(bigInteger()),
  /** The balance of data credits, which are not bones. */
  dc_balance: z.nullish(count()),
  /** The nonce of the account. */
  nonce: z.nullish(z.int()),
  /** The nonce for data credits. Not documented. */
  dc_nonce: z.nullish(z.int()),
  /** The nonce for security tokens. Not documented. */
  sec_nonce: z.nullish(z.int()),
  /** The block height of the record; `null` for an account that the chain has never seen. */
  block: z.nullish(z.int()),
  /**
   * The nonce that the account is expected to use. A new payment uses this plus 1: see {@link nextNonce}. Lists leave it out
   * (observed).
   */
  speculative_nonce: seen(shown(z.optional(z.int()))),
  /** Like `speculative_nonce`, for security tokens. */
  speculative_sec_nonce: z.nullish(z.int()),
  /** The number of hotspots that the account owns. */
  hotspot_count: z.nullish(z.int()),
  /** The number of validators that the account owns. */
  validator_count: z.nullish(z.int()),
};

const accountFields = record({
  /** The address of the account. */
  address: z.string(),
  ...fields,
});

/** An account. All its fields except `speculative_nonce` are (observed). */
export interface Account extends z.output<typeof accountFields> {}
export const Account: SchemaOf<Account, typeof accountFields> = accountFields;

const foundFields = record({
  /** The address that was asked for. The published spec does not show it here. */
  address: z.nullish(z.string()),
  ...fields,
});

/** The account of an address. The published spec shows only `speculative_nonce`; all other fields are (observed). */
export interface FoundAccount extends z.output<typeof foundFields> {}
export const FoundAccount: SchemaOf<FoundAccount, typeof foundFields> = foundFields;

/**
 * Returns the nonce for the next payment of an account: `speculative_nonce` plus 1.
 *
 * A new account has `block: null`, `nonce: 0` and no `speculative_nonce` (observed), so its next nonce is 1. Throws a TypeError
 * for any other record without `speculative_nonce`, such as one from a list: pass the result of `accounts.get`.
 *
 * @example
 * ```ts
 * const nonce = nextNonce(await client.accounts.get({ address }));
 * ```
 */
export function nextNonce(account: Pick<Account, "speculative_nonce" | "block" | "nonce">): number {
  const [speculative_nonce, block, nonce] = ["speculative_nonce", "block", "nonce"].map((name) =>
    memberOf(account, name),
  );
  const isUnseen = speculative_nonce == null && block === null && nonce === 0;
  const current = isUnseen ? 0 : speculative_nonce;
  if (typeof current !== "number" || !Number.isSafeInteger(current) || current < 0)
    throw mistake(
      "nextNonce: the record has no speculative_nonce. Pass the result of accounts.get: a list may omit this field.",
    );
  return current + 1;
}

const balanceFields = record({
  /** The moment of the balance, as ISO 8601. */
  timestamp: z.nullish(z.string()),
  /** The balance, in bones. */
  balance: z.nullish(bigInteger()),
});

const accountStatsFields = record({
  /** One balance an hour. */
  last_day: z.nullish(z.array(balanceFields)),
  /** One balance every 8 hours. */
  last_week: z.nullish(z.array(balanceFields)),
  /** One balance a day. */
  last_month: z.nullish(z.array(balanceFields)),
});

/**
 * The balances of an account in bones: hourly for the last day, every 8 hours for the last week, daily for the last month.
 * Its fields are (observed): the published spec does not name them.
 */
export interface AccountStats extends z.output<typeof accountStatsFields> {}
export const AccountStats: SchemaOf<AccountStats, typeof accountStatsFields> = accountStatsFields;

const ouiFields = record({
  /** The number of the OUI. */
  oui: z.nullish(z.int()),
  /** The owner: an account address. */
  owner: z.nullish(z.string()),
  /** A nonce. Not documented. */
  nonce: z.nullish(z.int()),
  /** The block height of the record. */
  block: z.nullish(z.int()),
  /** A list of addresses. Not documented. */
  addresses: z.nullish(z.array(z.string())),
  /** The subnets. Not documented. */
  subnets: z.nullish(
    z.array(
      record({
        /** The base of the subnet, a number. */
        base: z.nullish(z.int()),
        /** The mask of the subnet, a number. */
        mask: z.nullish(z.int()),
      }),
    ),
  ),
});

/** An OUI of an account. Its fields are (observed). */
export interface Oui extends z.output<typeof ouiFields> {}
export const Oui: SchemaOf<Oui, typeof ouiFields> = ouiFields;

const electionFields = record({
  /** The hash of the transaction. */
  hash: z.nullish(z.string()),
  /** The type of the transaction. */
  type: z.nullish(z.string()),
  /** The height of the block with the transaction. */
  height: z.nullish(z.int()),
  /** Unix seconds. */
  time: z.nullish(z.int()),
  /** A number (observed). Not documented. */
  delay: z.nullish(z.int()),
  /** The proof, as a string. */
  proof: z.nullish(z.string()),
  /** The addresses of the elected hotspots. */
  members: z.nullish(z.array(z.string())),
});

/** An election of a consensus group. Its fields are (observed). */
export interface Election extends z.output<typeof electionFields> {}
export const Election: SchemaOf<Election, typeof electionFields> = electionFields;
