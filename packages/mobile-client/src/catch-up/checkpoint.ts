import { dateOfStamp, withChecksum } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { identityFields, type QueryIdentity } from "@fieldmesh/http/internal/pager";

/**
 * What the last complete run of `catchUp` has read. A small JSON value: store it, and pass it to the next run as the option
 * `checkpoint`. It contains ids and times of events, and nothing of their payloads.
 *
 * A store may change the order of its keys. Any other change throws a CheckpointError.
 */
export interface CatchUpCheckpoint extends QueryIdentity {
  /** The version of the format. */
  readonly version: 1;
  /** The query of the list, without its cursor. A run without the option `query` repeats it. */
  readonly query: Readonly<Record<string, string>>;
  /** The latest `created_at` that was read. `null` if no event had one. */
  readonly newest: string | null;
  /** The order of the list, as it was observed. */
  readonly order: "oldest_first" | "newest_first" | "none";
  /** The cursor of the last page of a list that is oldest first. `null` for its first page, and for every other list. */
  readonly cursor: string | null;
  /** The id of the first event of that page. */
  readonly first: string | null;
  /** The events that failed or could not be parsed. The next run tries them again. */
  readonly open: readonly {
    /** The id of the event. */
    readonly id: string;
    /** When it happened, as the service sent it. `null` if it sent none. */
    readonly created_at: string | null;
    /** The cursor of its page. `null` for the first page. */
    readonly cursor: string | null;
  }[];
  /** A hash of all other fields, whatever their order. It detects damage, and is not a signature. */
  readonly checksum: string;
}

const text = z.nullable(z.string());
/** The schema of a checkpoint. */
export const checkpointSchema = z.strictObject({
  version: z.literal(1),
  ...identityFields,
  newest: text,
  order: z.literal(["oldest_first", "newest_first", "none"]),
  cursor: text,
  first: text,
  open: z.array(z.strictObject({ id: z.string(), created_at: text, cursor: text })),
  checksum: z.string(),
});

/** Creates a checkpoint. */
export function writeCheckpoint(
  fields: Omit<CatchUpCheckpoint, "version" | "checksum">,
): CatchUpCheckpoint {
  return withChecksum({ version: 1 as const, ...fields });
}

/** Returns the time of an event in milliseconds, or NaN. */
export function timeOf(stamp: string | null | undefined): number {
  return dateOfStamp(stamp ?? "").getTime();
}
