import * as z from "zod/mini";
import { bigInteger, record, type SchemaOf } from "@fieldmesh/core/schema";

const rewardFields = record({
  block: z.nullish(z.int()),
  hash: z.nullish(z.string()),
  timestamp: z.nullish(z.string()),
  account: z.nullish(z.string()),
  gateway: z.nullish(z.string()),
  /** Bones. */
  amount: z.nullish(bigInteger()),
  type: z.nullish(z.string()),
});

/** A reward, of a block and a gateway. Its fields are (observed). */
export interface Reward extends z.output<typeof rewardFields> {}
export const Reward: SchemaOf<Reward, typeof rewardFields> = rewardFields;

const rewardsSumFields = record({
  /** Bones; the others are tokens (observed). */
  sum: z.nullish(bigInteger()),
  /** Tokens. */
  total: z.nullish(z.number()),
  min: z.nullish(z.number()),
  max: z.nullish(z.number()),
  avg: z.nullish(z.number()),
  median: z.nullish(z.number()),
  stddev: z.nullish(z.number()),
  /** The start of the bucket, where a bucket was asked for. */
  timestamp: z.nullish(z.string()),
  /** The hotspot, where the deployment groups by hotspot as the published spec says. */
  gateway: z.nullish(z.string()),
});

/** Rewards in a timeframe, or in a bucket of it. The fields are (observed). */
export interface RewardsSum extends z.output<typeof rewardsSumFields> {}
export const RewardsSum: SchemaOf<RewardsSum, typeof rewardsSumFields> = rewardsSumFields;
