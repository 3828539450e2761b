import * as z from "@fieldmesh/core/internal/zod";

/**
 * A place in a list, after the items that a walk has returned. A small JSON value: store it in a file or a database and pass it
 * to the same call as the option `checkpoint`. It contains the cursor of the server, the query of the first page as it was sent,
 * and hashes. It contains no record.
 *
 * A store may change the order of its keys. Any other change throws a CheckpointError.
 */
export interface Checkpoint {
  /** The version of the format. */
  readonly version: 1;
  /** The method, such as `accounts.rewards`. */
  readonly call: string;
  /** A hash of the base URL. */
  readonly server: string;
  /** A hash of the path. */
  readonly path: string;
  /** The query of the first page, which every page repeats with its cursor. */
  readonly query: Readonly<Record<string, string>>;
  /** The cursor of the page that contains the last item. `null` for the first page. */
  readonly cursor: string | null;
  /** How many items of that page were returned. */
  readonly offset: number;
  /** How many items were returned in total. */
  readonly items: number;
  /** Hashes of the keys of the last items. */
  readonly anchor: readonly string[];
  /** Hashes of the rows that ended the page before that page, at most ten. They show which rows that page repeats. */
  readonly before: readonly string[];
  /** A hash of all other fields, whatever their order. It detects damage, and is not a signature. */
  readonly checksum: string;
}

/** A place after the items that were returned. */
export type PlaceInList = Pick<Checkpoint, "cursor" | "offset" | "items" | "anchor" | "before">;

/** What a checkpoint must match. */
export type QueryIdentity = Pick<Checkpoint, "call" | "server" | "path" | "query">;

const count = z.int().check(z.minimum(0));
const place = {
  cursor: z.nullable(z.string()),
  offset: count,
  items: count,
  anchor: z.array(z.string()),
  before: z.array(z.string()),
};
const hasAnchor = z.refine<{ items: number; offset: number; anchor: readonly string[] }>(
  ({ items, offset, anchor }) => (items === 0 && offset === 0) || anchor.length > 0,
);
/** The fields of a place in a list. */
export const placeSchema = z.strictObject(place).check(hasAnchor);
/** The fields that a checkpoint must match. */
export const identityFields = {
  call: z.string(),
  server: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
};
/** The schema of a checkpoint. */
export const checkpointSchema = z
  .strictObject({ version: z.literal(1), ...identityFields, ...place, checksum: z.string() })
  .check(hasAnchor);
