import { withChecksum, timeOfStamp } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";
import { identityFields, type QueryIdentity } from "@fieldmesh/http/internal/pager";

/**
 * What the last complete run of `catchUp` has read. A small JSON value: store it, and pass it to the next run as the option
 * `checkpoint`. It contains ids, types and times of events, and nothing of their payloads.
 *
 * A store may change the order of its keys. Any other change throws a CheckpointError.
 */
export interface CatchUpCheckpoint extends QueryIdentity {
  /** The version of the format. */
  readonly version: 1;
  /** The query of the list, without its cursor. A run without the option `query` repeats it. */
  readonly query: Readonly<Record<string, string>>;
  /** The option `since` of the first run. Events that were created before it are skipped. */
  readonly since: string;
  /** When the run began. */
  readonly read_at: string;
  /** The latest `created_at` that was read, without those in the future. `null` if no event had one. */
  readonly newest: string | null;
  /** The order of the list, as it was observed. */
  readonly order: "oldest_first" | "newest_first" | "none";
  /** The cursor of the last page of a list that is oldest first. `null` for its first page, and for every other list. */
  readonly cursor: string | null;
  /** The id of the first event of that page. */
  readonly first: string | null;
  /** The events that are not done yet. None is dropped without a report. */
  readonly open: readonly OpenEvent[];
  /** The events whose `created_at` was in the future, or not a date. */
  readonly undated: readonly {
    /** The id of the event, or a hash of an item without an id. */
    readonly id: string;
    /** When it was first read, which counts instead. */
    readonly seen_at: string;
    /** The run before that one, or `since` of the first run. The event may have been delivered as early. */
    readonly seen_after: string;
  }[];
  /** A hash of all other fields, whatever their order. It detects damage, and is not a signature. */
  readonly checksum: string;
}

/** An event that is not done yet. */
export interface OpenEvent {
  /** The id of the event, or a hash of an item without an id. */
  readonly id: string;
  /** Empty if the item has no type. */
  readonly type: string;
  /** When it happened, as the service sent it. `null` if it sent none. */
  readonly created_at: string | null;
  /** Why: its handlers or the store failed, it waits for its delivery, or the item is not an event. */
  readonly reason: "failed" | "waiting" | "not_parsed";
  /**
   * When its deliveries have ended. One that waits is then handled. One that is not an event, and one that the service no longer
   * lists, is then given up.
   */
  readonly until: string;
  /** The cursor of its page. `null` for the first page. */
  readonly cursor: string | null;
  /** A hash of its object while it waits, because newer events of that wait too. Otherwise `null`. */
  readonly object: string | null;
}

const text = z.nullable(z.string());
const openEvent = z.strictObject({
  id: z.string(),
  type: z.string(),
  created_at: text,
  reason: z.literal(["failed", "waiting", "not_parsed"]),
  until: z.string(),
  cursor: text,
  object: text,
});
/** The schema of a checkpoint. */
export const checkpointSchema = z.strictObject({
  version: z.literal(1),
  ...identityFields,
  since: z.string(),
  read_at: z.string(),
  newest: text,
  order: z.literal(["oldest_first", "newest_first", "none"]),
  cursor: text,
  first: text,
  open: z.array(openEvent),
  undated: z.array(z.strictObject({ id: z.string(), seen_at: z.string(), seen_after: z.string() })),
  checksum: z.string(),
});

/** Creates a checkpoint. */
export function writeCheckpoint(
  fields: Omit<CatchUpCheckpoint, "version" | "checksum">,
): CatchUpCheckpoint {
  return withChecksum({ version: 1 as const, ...fields });
}

/** Keeps the events that are not done, those of earlier runs first. None leaves the list without an outcome. */
export function keepOpen(before: readonly OpenEvent[], now: number) {
  const open = new Map(before.map((event) => [event.id, event]));
  const earlier = new Map(open);
  const met = new Set<string>();
  const hasEnded = ({ until }: OpenEvent): boolean => timeOfStamp(until) <= now;
  return {
    /** The event as an earlier run has left it open. */
    earlier: (id: string): OpenEvent | undefined => earlier.get(id),
    /** Those that this run reads again, wherever they are. One that was not parsed, or still waits, holds no place. */
    again: before.filter(
      (event) => event.reason === "failed" || (event.reason === "waiting" && hasEnded(event)),
    ),
    /** Notes that an event is done. */
    close(id: string): void {
      met.add(id);
      open.delete(id);
    },
    /** Notes that an event is not done. Returns whether this run has met it for the first time. */
    keep(event: OpenEvent): boolean {
      const isFirst = !met.has(event.id);
      met.add(event.id);
      open.set(event.id, event);
      return isFirst;
    },
    /** Removes those whose deliveries have ended, and that the list no longer contains. */
    takeGone(): OpenEvent[] {
      const gone = [...open.values()].filter((event) => !met.has(event.id) && hasEnded(event));
      for (const { id } of gone) open.delete(id);
      return gone;
    },
    list: (): readonly OpenEvent[] => [...open.values()],
  };
}
