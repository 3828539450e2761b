import { millisecondsOf, readCheckpoint } from "@fieldmesh/core/internal";
import { inputProblem, PlaceLostError, type PartsByTime } from "@fieldmesh/http/internal";
import {
  isNewestFirst,
  keyOf,
  type QueryIdentity,
  type Source,
  type Walk,
  type WalkSettings,
} from "@fieldmesh/http/internal/pager";
import { checkpointSchema, type PartCheckpoint } from "./checkpoint.ts";
import type { PartInit, PlaceInPart } from "./part.ts";
import { readParallelOptions, type ParallelOptions, type ParallelSettings } from "./options.ts";

/** A list that can be walked between any two times. */
export interface SplitList<T> extends Pick<
  Source<T>,
  "context" | "key" | "signal" | "start" | "identify"
> {
  readonly settings: WalkSettings;
  /** Starts a walk of the list between other times, at a place. */
  open(times: Readonly<Record<string, string>>, place: PlaceInPart | undefined): Walk<T>;
}

const PART_LOST =
  "did not find the item at which the next part begins: the list has changed, or its newest item is not the first.";

/**
 * What a walk in parallel lanes starts with. It brings the functions that the lanes use, because esbuild would split each file that
 * a lane imports off the files that are loaded first.
 */
export interface Plan<T> extends Pick<ParallelSettings, "lanes" | "order"> {
  readonly context: { readonly call: string; readonly route: string };
  readonly identity: QueryIdentity;
  readonly byTime: PartsByTime;
  readonly range: TimeRange;
  /** How many items earlier walks with the checkpoint returned, and how many this walk may return. */
  readonly given: number;
  readonly maxItems: number;
  /** The unfinished parts of an earlier walk, or a single part for the whole range. */
  readonly parts: readonly PartCheckpoint[];
  /** What the parts read from. */
  readonly list: Pick<PartInit<T>, "anchorSize" | "open" | "keyOf" | "isNewestFirst">;
  /** Reads the time of an item. */
  readonly toMilliseconds: (stamp: string | number | null) => number | undefined;
  /** Returns the error for a part that did not end where the next one begins. */
  readonly lostAfter: (items: number) => PlaceLostError;
}

/** Checks everything that a walk in parallel lanes depends on. Throws an InputError for anything invalid. */
export function readPlan<T>(
  list: SplitList<T>,
  byTime: PartsByTime,
  options: ParallelOptions,
): Plan<T> {
  const { context, settings } = list;
  const { lanes, order, by = byTime, checkpoint } = readParallelOptions(context, options);
  const problem = (path: string, rule: string) => inputProblem(context, path, rule);
  const { min, max } = by;
  if (min === undefined || max === undefined)
    throw problem(
      "options.by",
      'must name the parameters of the first and the last time, such as { min: "min_time", max: "max_time" }: the spec does not name them',
    );
  if (list.start !== undefined)
    throw problem("cursor", "cannot be combined with `parallel`, which splits a whole list");
  if (settings.checkpoint !== undefined)
    throw problem("options.checkpoint", "is a checkpoint of `parallel`: pass it to `parallel`");
  if (settings.maxPages !== Infinity)
    throw problem("options.maxPages", "cannot be combined with `parallel`; `maxItems` can");

  const own = list.identify();
  const resumeFrom =
    checkpoint === undefined ? undefined : readCheckpoint(checkpointSchema, checkpoint, own);
  const query =
    resumeFrom === undefined
      ? own.query
      : { ...own.query, [min]: resumeFrom.range.min, [max]: resumeFrom.range.max };
  const range = readTimeRange(context, query, { min, max }, byTime);
  const until = new Date(range.from).toISOString();
  const whole: PartCheckpoint = { max: range.max, until, place: null, first: null, stop: null };
  return {
    context,
    identity: { ...own, query: resumeFrom?.query ?? own.query },
    byTime,
    range,
    lanes,
    order,
    given: resumeFrom?.items ?? 0,
    maxItems: settings.maxItems,
    parts: resumeFrom?.parts ?? [whole],
    list: {
      anchorSize: settings.anchorSize,
      open: (last, place) => list.open({ [min]: range.min, [max]: last }, place),
      keyOf: (item) => keyOf(item, list.key),
      isNewestFirst,
    },
    toMilliseconds: readerOf(byTime, range.to),
    lostAfter: (items) => new PlaceLostError(context, items, PART_LOST),
  };
}

/** Returns the function that reads the time of an item: a string like the ledger, or seconds. */
export function readerOf({ readTime }: PartsByTime, base: number): Plan<unknown>["toMilliseconds"] {
  return (stamp) => (typeof stamp === "string" ? readTime(stamp, base) : millisecondsOf(stamp));
}

type TimeRange = ReturnType<typeof readTimeRange>;

/** Reads the times of a query: as they are sent, and in milliseconds. Throws an InputError for an invalid time. */
function readTimeRange(
  context: { readonly call: string; readonly route: string },
  query: Readonly<Record<string, string>>,
  names: { readonly min: string; readonly max: string },
  { readTime }: Pick<PartsByTime, "readTime">,
) {
  const now = Date.now();
  const read = (name: string, text: string, base: number): number => {
    const time = readTime(text, base);
    if (time !== undefined) return time;
    throw inputProblem(
      context,
      name,
      "must be a Date, ISO 8601, or a relative time such as `-3 day` (hour, day or week), so that `parallel` can split it",
    );
  };
  /** An absolute time is sent as it was written. */
  const write = (text: string, time: number): string =>
    readTime(text, 0) === time ? text : new Date(time).toISOString();

  const min = query[names.min];
  const missing = "is required by `parallel`, which splits the time that follows";
  if (min === undefined) throw inputProblem(context, names.min, missing);
  const max = query[names.max] ?? new Date(now).toISOString();
  const to = read(names.max, max, now);
  const from = read(names.min, min, to);
  return { min: write(min, from), max: write(max, to), from, to };
}
