import * as z from "@fieldmesh/core/internal/zod";
import { bigInteger, record, type SchemaOf } from "@fieldmesh/core/internal/schema";

const rewardFields = record({
  /** The height of the block. */
  block: z.nullish(z.int()),
  /** The hash of the transaction. */
  hash: z.nullish(z.string()),
  /** The time of the block, as ISO 8601. */
  timestamp: z.nullish(z.string()),
  /** The address of the account that received it. */
  account: z.nullish(z.string()),
  /** The address of the gateway. */
  gateway: z.nullish(z.string()),
  /** The amount, in bones. */
  amount: z.nullish(bigInteger()),
  /** The type of the reward. The values are not documented. */
  type: z.nullish(z.string()),
});

/** The reward of a gateway in a block. Its fields are (observed). */
export interface Reward extends z.output<typeof rewardFields> {}
export const Reward: SchemaOf<Reward, typeof rewardFields> = rewardFields;

const rewardsSumFields = record({
  /** The sum, in bones; the other fields are in tokens (observed). */
  sum: z.nullish(bigInteger()),
  /** The total, in tokens. */
  total: z.nullish(z.number()),
  /** The smallest reward, in tokens. */
  min: z.nullish(z.number()),
  /** The largest reward, in tokens. */
  max: z.nullish(z.number()),
  /** The average, in tokens. */
  avg: z.nullish(z.number()),
  /** The median, in tokens. */
  median: z.nullish(z.number()),
  /** The standard deviation, in tokens. */
  stddev: z.nullish(z.number()),
  /** The start of the bucket, if the request had `bucket`. */
  timestamp: z.nullish(z.string()),
  /** The hotspot. Absent in deployments that group by bucket only (observed). */
  gateway: z.nullish(z.string()),
});

/** The rewards in a timeframe, or in a bucket of it. The fields are (observed). */
export interface RewardsSum extends z.output<typeof rewardsSumFields> {}
export const RewardsSum: SchemaOf<RewardsSum, typeof rewardsSumFields> = rewardsSumFields;
