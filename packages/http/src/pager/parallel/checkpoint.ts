import * as z from "zod/mini";
import { fingerprint } from "../fingerprint.ts";
import {
  checkIdentity,
  identityFields,
  placeSchema,
  rejected,
  type Checkpoint,
  type QueryIdentity,
} from "../checkpoint.ts";

/**
 * The place of a walk in parallel lanes: what of each part was returned. A small JSON value, as {@link Checkpoint} is: pass
 * it to `parallel` of the same call.
 */
export interface ParallelCheckpoint extends QueryIdentity {
  /** The form of the checkpoint. */
  readonly version: 1;
  /** What wrote it. */
  readonly kind: "parallel";
  /** The times of the list, as they were sent: relative ones were resolved when the walk began. */
  readonly range: {
    /** The first time. */
    readonly min: string;
    /** The last time. */
    readonly max: string;
  };
  /** How many items were returned in all. */
  readonly items: number;
  /** The parts that are not at their end, in the order of the list. */
  readonly parts: readonly PartCheckpoint[];
  /** A hash of the range and the parts: a checkpoint that was changed, or cut off, is not accepted. */
  readonly digest: string;
}

/** The place in one part of a list. */
export interface PartCheckpoint {
  /** The last time of its query, as it was sent. */
  readonly max: string;
  /** The time at which the next part begins, or the list ends. */
  readonly until: string;
  /** Where it is; `null` before its first item. */
  readonly place: PlaceInPart | null;
  /** The first item of its query; `null` as long as that is not read. */
  readonly first: Mark | null;
  /** The item before which it ends; `null` where that is the end of the list, or the first item of the next part. */
  readonly stop: Mark | null;
}

/** A place behind what was returned. */
export type PlaceInPart = Pick<Checkpoint, "cursor" | "offset" | "items" | "anchor">;

/** What names an item: a hash, and its time as it came, which is compared first. */
export interface Mark {
  /** The hash of the item. */
  readonly key: string;
  /** The time of the item as it came; `null` where it has none. */
  readonly time: string | number | null;
}

const mark = z.object({
  key: z.string(),
  time: z.union([z.string(), z.number(), z.null()]),
});
const schema = z.object({
  version: z.literal(1),
  kind: z.literal("parallel"),
  ...identityFields,
  range: z.object({ min: z.string(), max: z.string() }),
  digest: z.string(),
  items: z.int().check(z.minimum(0)),
  parts: z.array(
    z.object({
      max: z.string(),
      until: z.string(),
      place: z.nullable(placeSchema),
      first: z.nullable(mark),
      stop: z.nullable(mark),
    }),
  ),
});

/** Returns a checkpoint that fits the call, or throws an InputError that says what it belongs to instead. */
export function checkParallelCheckpoint(
  facts: { call: string; route: string },
  value: unknown,
  identity: QueryIdentity,
): ParallelCheckpoint {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw rejected(facts, "is not a checkpoint that `parallel` of this version wrote");
  if (parsed.data.digest !== digestOf(parsed.data))
    throw rejected(facts, "was changed since `parallel` wrote it");
  checkIdentity(facts, parsed.data, identity);
  return parsed.data;
}

/** Hashes what says where the walk is; in an order of its own, since a database may change that of fields. */
export function digestOf({
  range,
  items,
  parts,
}: Pick<ParallelCheckpoint, "range" | "items" | "parts">): string {
  const values = parts.map(({ max, until, place, first, stop }) => [
    [max, until],
    place && [place.cursor, place.offset, place.items, place.anchor],
    [first, stop].map((each) => each && [each.key, each.time]),
  ]);
  return fingerprint(JSON.stringify([range.min, range.max, items, values]));
}
