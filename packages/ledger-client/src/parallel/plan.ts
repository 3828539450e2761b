import { inputProblem } from "../../errors/input-error.ts";
import type { QueryIdentity } from "../checkpoint.ts";
import type { WalkSettings } from "../pager-options.ts";
import type { Source } from "../source.ts";
import type { Walk } from "../walk.ts";
import type { PartsByTime } from "../../table/result.ts";
import { checkParallelCheckpoint, type PartCheckpoint, type PlaceInPart } from "./checkpoint.ts";
import { readParallelOptions, type ParallelOptions, type ParallelSettings } from "./options.ts";
import { createPart, type Part } from "./part.ts";
import { readTimeRange, type TimeRange } from "./time-range.ts";

const SECOND = 1_000;

/** A list that can be walked between any two times. */
export interface SplitList<T> extends Pick<
  Source<T>,
  "facts" | "key" | "signal" | "start" | "identify"
> {
  readonly settings: WalkSettings;
  /** Starts a walk of the list between other times, at a place. */
  open(times: Readonly<Record<string, string>>, place: PlaceInPart | undefined): Walk<T>;
}

/** What a walk in parallel lanes starts with. */
export interface Plan<T> extends Pick<ParallelSettings, "lanes" | "order"> {
  readonly facts: { readonly call: string; readonly route: string };
  readonly identity: QueryIdentity;
  readonly range: TimeRange;
  /** How many items earlier walks with the checkpoint returned, and how many this walk may return. */
  readonly given: number;
  readonly maxItems: number;
  readonly parts: Part<T>[];
}

/** Checks everything that a walk in parallel lanes depends on. Throws an InputError for anything invalid. */
export function readPlan<T>(
  list: SplitList<T>,
  byTime: PartsByTime,
  options: ParallelOptions,
): Plan<T> {
  const { facts, settings } = list;
  const { lanes, order, by = byTime, checkpoint } = readParallelOptions(facts, options);
  const { min, max } = by;
  if (min === undefined || max === undefined)
    throw inputProblem(
      facts,
      "options.by",
      'must name the parameters of the first and the last time, such as { min: "min_time", max: "max_time" }: the spec does not name them',
    );
  if (list.start !== undefined)
    throw inputProblem(
      facts,
      "cursor",
      "cannot be combined with `parallel`, which splits a whole list",
    );
  if (settings.checkpoint !== undefined)
    throw inputProblem(
      facts,
      "options.checkpoint",
      "is a checkpoint of `parallel`: pass it to `parallel`",
    );
  if (settings.maxPages !== Infinity)
    throw inputProblem(
      facts,
      "options.maxPages",
      "cannot be combined with `parallel`; `maxItems` can",
    );

  const own = list.identify();
  const resumeFrom =
    checkpoint === undefined ? undefined : checkParallelCheckpoint(facts, checkpoint, own);
  const query =
    resumeFrom === undefined
      ? own.query
      : { ...own.query, [min]: resumeFrom.range.min, [max]: resumeFrom.range.max };
  const range = readTimeRange(facts, query, { min, max }, byTime);
  const open = (last: string, place: PlaceInPart | undefined): Walk<T> =>
    list.open({ [min]: range.min, [max]: last }, place);
  return {
    facts,
    identity: { ...own, query: resumeFrom?.query ?? own.query },
    range,
    lanes,
    order,
    given: resumeFrom?.items ?? 0,
    maxItems: settings.maxItems,
    parts: createParts({ ...list, open }, byTime, range, resumeFrom?.parts),
  };
}

/** Creates the parts of a checkpoint. Without a checkpoint, creates a single part for the whole range. */
function createParts<T>(
  {
    open,
    key,
    settings,
  }: Pick<SplitList<T>, "key" | "settings"> & {
    readonly open: (max: string, place: PlaceInPart | undefined) => Walk<T>;
  },
  { field, readTime }: PartsByTime,
  { max, from, to }: TimeRange,
  kept: readonly PartCheckpoint[] | undefined,
): Part<T>[] {
  const stampOf = (item: T): string | number | null => {
    const stamp = (item as Record<string, unknown> | null)?.[field];
    return typeof stamp === "string" || typeof stamp === "number" ? stamp : null;
  };
  const toMilliseconds = (stamp: string | number | null): number | undefined =>
    typeof stamp === "number" ? stamp * SECOND : readTime(stamp ?? "", to);
  const common = { open, key, stampOf, toMilliseconds, anchorSize: settings.anchorSize };
  if (kept === undefined) return [createPart({ ...common, max, at: to, low: from })];
  const parts: Part<T>[] = [];
  // Starts with the oldest part, because each part needs the next one.
  for (const { max: last, until, place, first, stop } of kept.toReversed()) {
    const part = createPart({
      ...common,
      max: last,
      at: place === null ? readTime(last, to) : undefined,
      low: readTime(until, to) ?? from,
      next: stop === null ? parts[0] : undefined,
      stop: stop ?? undefined,
      first: first ?? undefined,
      place: place ?? undefined,
    });
    parts.unshift(part);
  }
  return parts;
}
