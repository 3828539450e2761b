import * as z from "@fieldmesh/core/internal/zod";
import type { Checkpoint } from "@fieldmesh/http";
import { identityFields, placeSchema, type QueryIdentity } from "@fieldmesh/http/internal/pager";

/**
 * The place of a walk in parallel lanes: what each part has returned. A small JSON value, like {@link Checkpoint}. Pass it to
 * `parallel` of the same call.
 */
export interface ParallelCheckpoint extends QueryIdentity {
  /** The version of the format. */
  readonly version: 1;
  /** The kind of walk that wrote it. */
  readonly kind: "parallel";
  /** The times of the list, as they were sent. Relative times were resolved when the walk began. */
  readonly range: {
    /** The first time. */
    readonly min: string;
    /** The last time. */
    readonly max: string;
  };
  /** How many items were returned in total. */
  readonly items: number;
  /** The unfinished parts, in the order of the list. */
  readonly parts: readonly PartCheckpoint[];
  /** A hash of all other fields, whatever their order. It detects damage, and is not a signature. */
  readonly checksum: string;
}

/** The place in one part of a list. */
export interface PartCheckpoint {
  /** The last time of its query, as it was sent. */
  readonly max: string;
  /** The time at which the next part begins, or the list ends. */
  readonly until: string;
  /** The place after the returned items. `null` before the first item. */
  readonly place: Pick<Checkpoint, "cursor" | "offset" | "items" | "anchor" | "before"> | null;
  /** The first item of its query. `null` until it is read. */
  readonly first: Mark | null;
  /** The item before which the part ends. `null` if that is the end of the list, or the first item of the next part. */
  readonly stop: Mark | null;
}

/** Identifies an item by a hash and its time, which is compared first. */
export interface Mark {
  /** The hash of the item. */
  readonly key: string;
  /** The time of the item as the service sent it. `null` if it has none. */
  readonly time: string | number | null;
}

const mark = z.strictObject({
  key: z.string(),
  time: z.nullable(z.union([z.string(), z.number()])),
});
/** The schema of a checkpoint. */
export const checkpointSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("parallel"),
  ...identityFields,
  range: z.strictObject({ min: z.string(), max: z.string() }),
  checksum: z.string(),
  items: z.int().check(z.minimum(0)),
  parts: z.array(
    z.strictObject({
      max: z.string(),
      until: z.string(),
      place: z.nullable(placeSchema),
      first: z.nullable(mark),
      stop: z.nullable(mark),
    }),
  ),
});
