import * as z from "zod";
import { bigInteger, record } from "@fieldmesh/core/schema";

// Beyond speculative_nonce the published spec shows no field of these records; they are those of running deployments.

const accountFields = record({
  address: z.string().nullish(),
  /** Bones. */
  balance: bigInteger().nullish(),
  /** Bones. */
  staked_balance: bigInteger().nullish(),
  /** Bones. */
  sec_balance: bigInteger().nullish(),
  /** In the smallest unit of that token. */
  mobile_balance: bigInteger().nullish(),
  /** In the smallest unit of that token. */
  iot_balance: bigInteger().nullish(),
  /** Data credits, which are no bones. */
  dc_balance: z.int().nullish(),
  nonce: z.int().nullish(),
  dc_nonce: z.int().nullish(),
  sec_nonce: z.int().nullish(),
  /** The height that the record is of; `null` for an account that was never seen. */
  block: z.int().nullish(),
  /** The nonce that the account is expected to use: see {@link nextNonce}. In the answer of `get` only. */
  speculative_nonce: z.int().nullish(),
  speculative_sec_nonce: z.int().nullish(),
  hotspot_count: z.int().nullish(),
  validator_count: z.int().nullish(),
});

/** An account. The published spec shows `speculative_nonce` only; the other fields are of running deployments. */
export interface Account extends z.output<typeof accountFields> {}
export const Account: z.ZodType<Account, z.input<typeof accountFields>> = accountFields;

/**
 * Gives the nonce of the account's next payment: `speculative_nonce` plus 1; 1 for an account that was never seen.
 *
 * @example
 * ```ts
 * const nonce = nextNonce(await client.accounts.get({ address }));
 * ```
 */
export function nextNonce({ speculative_nonce }: Pick<Account, "speculative_nonce">): number {
  return (speculative_nonce ?? 0) + 1;
}

const balanceFields = record({
  timestamp: z.string().nullish(),
  /** Bones. */
  balance: bigInteger().nullish(),
});

const accountStatsFields = record({
  last_day: z.array(balanceFields).nullish(),
  last_week: z.array(balanceFields).nullish(),
  last_month: z.array(balanceFields).nullish(),
});

/** Balances of an account in bones: the last day by hours, the last week by 8 hours, the last month by days. */
export interface AccountStats extends z.output<typeof accountStatsFields> {}
export const AccountStats: z.ZodType<
  AccountStats,
  z.input<typeof accountStatsFields>
> = accountStatsFields;

const ouiFields = record({
  oui: z.int().nullish(),
  owner: z.string().nullish(),
  nonce: z.int().nullish(),
  block: z.int().nullish(),
  addresses: z.array(z.string()).nullish(),
  subnets: z.array(record({ base: z.int().nullish(), mask: z.int().nullish() })).nullish(),
});

/** An OUI of an account. The published spec shows no field of it; these are of running deployments. */
export interface Oui extends z.output<typeof ouiFields> {}
export const Oui: z.ZodType<Oui, z.input<typeof ouiFields>> = ouiFields;

const electionFields = record({
  hash: z.string().nullish(),
  type: z.string().nullish(),
  height: z.int().nullish(),
  /** Unix seconds. */
  time: z.int().nullish(),
  delay: z.int().nullish(),
  proof: z.string().nullish(),
  members: z.array(z.string()).nullish(),
});

/** An election of a consensus group. The published spec shows no field of it; these are of running deployments. */
export interface Election extends z.output<typeof electionFields> {}
export const Election: z.ZodType<Election, z.input<typeof electionFields>> = electionFields;
