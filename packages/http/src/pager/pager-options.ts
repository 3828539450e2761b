import type { CallOptions } from "../options/call-options.ts";
import type { CallName } from "../errors/call-error.ts";
import { inputProblem } from "../errors/input-error.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** Options of a call to a paged list. Timeouts and retries apply to each page. The signal ends the whole walk. */
export interface PagerOptions extends CallOptions {
  /**
   * Resumes after the items that an earlier walk of the same call returned. It keeps the query of that walk: omit the filters, or
   * pass the same ones. Another query or server throws a CheckpointError.
   */
  checkpoint?: Checkpoint | undefined;
  /**
   * Pages that are read while you process the current one: 0 or 1.
   *
   * @default 1
   */
  prefetch?: 0 | 1 | undefined;
  /** The number of items after which a walk ends. @default Infinity */
  maxItems?: number | undefined;
  /** The number of pages after which a walk ends. @default Infinity */
  maxPages?: number | undefined;
  /**
   * How many empty pages in a row a walk follows. One more throws a TooManyEmptyPagesError.
   *
   * @default 1_000 - several in a row are normal on the ledger (observed)
   */
  maxEmptyPages?: number | undefined;
  /**
   * What to do when a cursor has expired: throw a CursorExpiredError, or restart from the beginning of the list and resume at the
   * same place.
   *
   * To find its place again, the walk uses the number of returned items and the keys of the last `anchorSize` of them, in their order. This
   * is exact for a list that keeps its order or only grows: nothing is lost or returned twice, and items added before the place
   * are not returned. It is not exact for a list that changes its order or loses items. If those items are no longer in the list,
   * the walk throws a PlaceLostError and never guesses.
   *
   * @default "error"
   */
  onCursorExpired?: "error" | "restart" | undefined;
  /**
   * For how many milliseconds to retry a page while the service is unreachable, too slow, or responds with 408, 429 or 5xx.
   * `3_600_000` outlasts an outage of an hour. The time starts at the first failure of that page, and applies in addition to the
   * retries of the client. Waits grow from a second to a minute, unless the service asks for another wait. `Infinity` retries
   * until the signal aborts.
   *
   * @default 0 - the failure is thrown
   */
  keepTrying?: number | undefined;
  /** How many items `onCursorExpired` and checkpoints compare to find a place. @default 5 */
  anchorSize?: number | undefined;
  /** Query parameters that the spec does not list, such as filters. */
  query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /**
   * Repeats the query of the first page, unchanged, with every cursor. The spec does not say whether a cursor includes the
   * filters. Set `false` for a deployment whose cursors do, and which rejects a query with a cursor.
   *
   * @default true
   */
  repeatQuery?: boolean | undefined;
}

/** The default, the minimum and the maximum of each number. */
const NUMBERS = {
  prefetch: [1, 0, 1],
  maxItems: [Infinity, 0, Infinity],
  maxPages: [Infinity, 0, Infinity],
  maxEmptyPages: [1_000, 0, Infinity],
  keepTrying: [0, 0, Infinity],
  // Long enough to distinguish two places of a list, short enough for a small checkpoint.
  anchorSize: [5, 1, 1_000],
} as const;
type Numbers = Readonly<Record<keyof typeof NUMBERS, number>>;

const OTHERS: Record<Exclude<keyof PagerOptions, keyof CallOptions | keyof Numbers>, true> = {
  checkpoint: true,
  onCursorExpired: true,
  query: true,
  repeatQuery: true,
};
/** The options that only calls to a paged list have. */
export const PAGER_OPTION_NAMES = Object.keys({ ...NUMBERS, ...OTHERS });

/** The options with every default filled in. */
export interface WalkSettings extends Numbers {
  readonly checkpoint: Checkpoint | undefined;
  readonly onCursorExpired: "error" | "restart";
}

/** Fills in the defaults. Throws an InputError for an invalid option. */
export function readWalkSettings(context: CallName, options: PagerOptions): WalkSettings {
  const { onCursorExpired = "error", checkpoint } = options;
  if (onCursorExpired !== "error" && onCursorExpired !== "restart") {
    throw inputProblem(context, "options.onCursorExpired", 'must be "error" or "restart"');
  }
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, [usual, ...range]]) => [
      name,
      checkCount(context, name, options[name as keyof Numbers] ?? usual, range),
    ]),
  ) as Numbers;
  return { ...numbers, onCursorExpired, checkpoint };
}

/** Checks an option that counts something. */
export function checkCount(
  context: CallName,
  name: string,
  value: unknown,
  [least, most]: readonly [number, number] = [0, Infinity],
): number {
  const count = Number.isSafeInteger(value) || value === Infinity ? Number(value) : Number.NaN;
  if (count >= least && count <= most) return count;
  const range = most === Infinity ? `from ${least} up, or Infinity` : `from ${least} to ${most}`;
  throw inputProblem(context, `options.${name}`, `must be a whole number ${range}`);
}
