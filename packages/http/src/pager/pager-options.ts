import type { CallOptions } from "../options/call-options.ts";
import { inputProblem } from "../errors/input-error.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** Options of a call to a paged list. Time-outs and retries hold for each page; the signal ends the whole walk. */
export interface PagerOptions extends CallOptions {
  /**
   * Resumes after what an earlier walk of the same call returned. It keeps the query of that walk: leave filters out, or
   * pass the same. Another query or server is an InputError.
   */
  checkpoint?: Checkpoint | undefined;
  /**
   * Pages that are read while the caller works on the current one: 0 or 1.
   *
   * @default 1
   */
  prefetch?: 0 | 1 | undefined;
  /** Items after which a walk ends. @default Infinity */
  maxItems?: number | undefined;
  /** Pages after which a walk ends. @default Infinity */
  maxPages?: number | undefined;
  /**
   * Empty pages in a row that are followed; one more is a TooManyEmptyPagesError.
   *
   * @default 1_000 - several in a row are normal on the ledger (observed)
   */
  maxEmptyPages?: number | undefined;
  /**
   * What follows an expired cursor: a CursorExpiredError, or a walk from the start of the list that resumes where this
   * one was.
   *
   * The place is found by its anchor: the number of items given, and the keys of the last `anchorSize` of them, in
   * their order. On a list that keeps its order or only grows, that is exact: nothing is lost and nothing given twice;
   * what was added before the place is not given. On a list that changes its order, or loses items, it is not exact;
   * where the anchor is not there any more, the walk ends with a PlaceLostError and never with a guess.
   *
   * @default "error"
   */
  onCursorExpired?: "error" | "restart" | undefined;
  /**
   * For how many milliseconds a page is tried again while the service is not reached, is too slow, or responds with 408, 429 or 5xx:
   * `3_600_000` outlives an outage of an hour. It counts from the first failure of that page, and begins after the retries of the
   * client. Waits grow from a second to a minute, or are what the service asks for. `Infinity` tries until the signal.
   *
   * @default 0 - the failure is thrown
   */
  keepTrying?: number | undefined;
  /** How many items the anchor remembers. @default 5 */
  anchorSize?: number | undefined;
  /** Query parameters that the spec does not show, such as filters. */
  query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /**
   * Repeats the query of the first page, as the same text, with every cursor. The spec does not say whether a cursor
   * holds the filters; `false` is for a deployment whose cursors do, and which rejects a query beside them.
   *
   * @default true
   */
  repeatQuery?: boolean | undefined;
}

const PAGER_OPTIONS: Readonly<Record<Exclude<keyof PagerOptions, keyof CallOptions>, true>> = {
  checkpoint: true,
  prefetch: true,
  maxItems: true,
  maxPages: true,
  maxEmptyPages: true,
  onCursorExpired: true,
  keepTrying: true,
  anchorSize: true,
  query: true,
  repeatQuery: true,
};
/** Options that only calls to a paged list have. */
export const PAGER_OPTION_NAMES = Object.keys(PAGER_OPTIONS);

/** The options with every default filled in. */
export interface WalkSettings {
  readonly checkpoint: Checkpoint | undefined;
  readonly prefetch: number;
  readonly maxItems: number;
  readonly maxPages: number;
  readonly maxEmptyPages: number;
  readonly onCursorExpired: "error" | "restart";
  readonly keepTrying: number;
  readonly anchorSize: number;
}

const DEFAULTS = {
  prefetch: 1,
  maxItems: Infinity,
  maxPages: Infinity,
  maxEmptyPages: 1_000,
  keepTrying: 0,
  // Long enough that two places of a list do not look alike, short enough for a small checkpoint.
  anchorSize: 5,
} as const;

/** The least and the most of each number. */
const RANGES = {
  prefetch: [0, 1],
  maxItems: [0, Infinity],
  maxPages: [0, Infinity],
  maxEmptyPages: [0, Infinity],
  keepTrying: [0, Infinity],
  anchorSize: [1, 1_000],
} as const;

/** Fills in the defaults; throws an InputError for what cannot be meant. */
export function readWalkSettings(
  facts: { call: string; route: string },
  options: PagerOptions,
): WalkSettings {
  const { onCursorExpired = "error", checkpoint } = options;
  if (onCursorExpired !== "error" && onCursorExpired !== "restart") {
    throw inputProblem(facts, "options.onCursorExpired", 'must be "error" or "restart"');
  }
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  const numbers = Object.fromEntries(
    names.map((name) => [
      name,
      checkCount(facts, name, options[name] ?? DEFAULTS[name], RANGES[name]),
    ]),
  ) as Record<keyof typeof DEFAULTS, number>;
  return { ...numbers, onCursorExpired, checkpoint };
}

/** Checks a number of things. */
export function checkCount(
  facts: { call: string; route: string },
  name: string,
  value: number,
  [least, most]: readonly [number, number] = [0, Infinity],
): number {
  const isCount = Number.isSafeInteger(value) || value === Infinity;
  if (isCount && value >= least && value <= most) return value;
  const range = most === Infinity ? `from ${least} up, or Infinity` : `from ${least} to ${most}`;
  throw inputProblem(facts, `options.${name}`, `must be a whole number ${range}`);
}
