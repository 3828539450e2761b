import * as z from "zod";
import { bigInteger, record } from "@fieldmesh/core/schema";

const rewardFields = record({
  block: z.int().nullish(),
  hash: z.string().nullish(),
  timestamp: z.string().nullish(),
  account: z.string().nullish(),
  gateway: z.string().nullish(),
  /** Bones. */
  amount: bigInteger().nullish(),
  type: z.string().nullish(),
});

/** A reward, of a block and a gateway. The published spec shows no field of it; these are of running deployments. */
export interface Reward extends z.output<typeof rewardFields> {}
export const Reward: z.ZodType<Reward, z.input<typeof rewardFields>> = rewardFields;

const rewardsSumFields = record({
  /** Bones; unlike the others, which are tokens. */
  sum: bigInteger().nullish(),
  /** Tokens. */
  total: z.number().nullish(),
  min: z.number().nullish(),
  max: z.number().nullish(),
  avg: z.number().nullish(),
  median: z.number().nullish(),
  stddev: z.number().nullish(),
  /** The start of the bucket, where a bucket was asked for. */
  timestamp: z.string().nullish(),
  /** The hotspot of the bucket, where the deployment groups by hotspot as the spec says; running ones do not. */
  gateway: z.string().nullish(),
});

/** Rewards in a timeframe, or in a bucket of it. The published spec shows no field; these are of running deployments. */
export interface RewardsSum extends z.output<typeof rewardsSumFields> {}
export const RewardsSum: z.ZodType<RewardsSum, z.input<typeof rewardsSumFields>> = rewardsSumFields;
