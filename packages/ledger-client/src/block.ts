import * as z from "zod/mini";
import { record, type SchemaOf } from "@fieldmesh/core/schema";

const blockFields = record({
  hash: z.string(),
  height: z.int(),
  /** May be missing (observed). */
  prev_hash: z.nullish(z.string()),
  /** Unix seconds. */
  time: z.int(),
  transaction_count: z.int(),
  /** May be empty, or missing (observed). */
  snapshot_hash: z.nullish(z.string()),
});

/** A block descriptor. */
export interface Block extends z.output<typeof blockFields> {}
export const Block: SchemaOf<Block, typeof blockFields> = blockFields;

const spanFields = record({
  avg: z.nullable(z.number()),
  stddev: z.nullable(z.number()),
});

const blockStatsFields = record({
  last_hour: spanFields,
  last_day: spanFields,
  last_week: spanFields,
  last_month: spanFields,
});

/**
 * Block production times, each with average and standard deviation, in seconds (observed); `null` where a span has no block
 * (observed). The published spec names no unit.
 */
export interface BlockStats extends z.output<typeof blockStatsFields> {}
export const BlockStats: SchemaOf<BlockStats, typeof blockStatsFields> = blockStatsFields;

const heightFields = record({ height: z.int() });

/** The height of the chain. */
export interface BlockHeight extends z.output<typeof heightFields> {}
export const BlockHeight: SchemaOf<BlockHeight, typeof heightFields> = heightFields;
