import * as z from "@fieldmesh/core/internal/zod";
import { record, seen, shown, type SchemaOf } from "@fieldmesh/core/internal/schema";

const blockFields = record({
  /** The hash of the block. */
  hash: z.string(),
  /** The height of the block. */
  height: z.int(),
  /** The hash of the block before. It may be absent (observed). */
  prev_hash: seen(shown(z.optional(z.string()))),
  /** Unix seconds. */
  time: z.int(),
  /** The number of transactions in the block. */
  transaction_count: z.int(),
  /** The hash of the snapshot. It may be empty, or absent (observed). */
  snapshot_hash: seen(shown(z.optional(z.string()))),
});

/** A block descriptor. */
export interface Block extends z.output<typeof blockFields> {}
export const Block: SchemaOf<Block, typeof blockFields> = blockFields;

const spanFields = record({
  /** The average, in seconds; it may be `null` (observed). */
  avg: seen(z.nullable(z.number())),
  /** The standard deviation, in seconds; it may be `null` (observed). */
  stddev: seen(z.nullable(z.number())),
});

const blockStatsFields = record({
  /** Block production in the last hour. */
  last_hour: spanFields,
  /** Block production in the last day. */
  last_day: spanFields,
  /** Block production in the last week. */
  last_week: spanFields,
  /** Block production in the last month. */
  last_month: spanFields,
});

/**
 * Block production times in seconds (observed), each with average and standard deviation. `null` for a span without blocks
 * (observed). The published spec states no unit.
 */
export interface BlockStats extends z.output<typeof blockStatsFields> {}
export const BlockStats: SchemaOf<BlockStats, typeof blockStatsFields> = blockStatsFields;

const heightFields = record({
  /** The highest height, now or before `max_time`. */
  height: z.int(),
});

/** The height of the chain. */
export interface BlockHeight extends z.output<typeof heightFields> {}
export const BlockHeight: SchemaOf<BlockHeight, typeof heightFields> = heightFields;
