import type { Checkpoint } from "./checkpoint.ts";
import type { ParallelCheckpoint } from "./parallel/checkpoint.ts";
import type { ParallelOptions } from "./parallel/options.ts";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The token to the next page; `undefined` on the last one. */
  readonly cursor: string | undefined;
  /** What the response holds beside its items, as it came; `undefined` where there is nothing. */
  readonly meta: unknown;
}

/** A page whose items from `offset` to `end` are still to be returned. */
export interface CurrentPage<T> extends Page<T> {
  readonly readFrom: string | undefined;
  /** How many of its items were returned. */
  offset: number;
  /** The index after the last item to return: a limit may end the walk within the page. */
  readonly end: number;
}

/** A walk through a list. Unlike a generator it survives a failure: `next()` after one tries again what failed. */
export interface WalkIterator<T, C> {
  next(): Promise<IteratorResult<T, undefined>>;
  /** Ends the walk and cancels what is on its way. `for await` calls it on `break` and on an error in the loop's body. */
  return(): Promise<IteratorResult<T, undefined>>;
  /**
   * Returns a small JSON value for exactly what `next()` has returned so far, whatever was read ahead. The option
   * `checkpoint` of the same call resumes after it, in this process or another.
   */
  checkpoint(): C;
  [Symbol.asyncIterator](): this;
}

/** One walk through a list. */
export interface PagerIterator<T> extends WalkIterator<T, Checkpoint> {}

/**
 * A list that is read page by page while it is walked. Making one sends nothing; each walk is a new one, and holds two
 * pages at most.
 *
 * A walk ends only where the server sends no cursor, or where you said so: an empty page with a cursor is followed. A
 * cursor that comes a second time is a {@link CursorLoopError}: at once where at most 1,000 pages lie between, and otherwise within two more rounds of the loop.
 *
 * @example
 * ```ts
 * for await (const block of client.blocks.list().take(200)) console.log(block.height);
 * ```
 */
export interface Pager<T> {
  /** Starts a walk, item by item: what `for await` uses, and what can tell its `checkpoint()`. */
  walk(): PagerIterator<T>;
  [Symbol.asyncIterator](): PagerIterator<T>;
  /** Starts a walk, page by page; empty pages are given too. */
  pages(): PagerIterator<Page<T>>;
  /** Reads a single page: the first, or that of a cursor. */
  page(cursor?: string): Promise<Page<T>>;
  /** The same list, of which a walk returns the first `count` items and reads no page beyond. */
  take(count: number): Pager<T>;
  /** Reads the list into an array of at most `limit` items, which must be said: `Infinity` reads all of it. */
  toArray(options: { limit: number }): Promise<T[]>;
  /**
   * Starts a walk as a web stream, which reads as its consumer does and ends with it. A Node stream is
   * `Readable.from(list)`.
   */
  stream(): ReadableStream<T>;
}

/** A list that can be split by time, so that its parts are read at once. */
export interface TimedPager<T> extends Pager<T> {
  /**
   * Starts a walk that reads parts of the list at once: `lanes` requests at a time, under the rate limit of the client. The
   * first time is required, and without a last one the list ends now; relative times are resolved once, by this machine's clock.
   *
   * A lane that finishes takes half of the longest part that is left. Nothing is lost and nothing returned twice, whatever
   * the service makes of the border between two parts. The newest item must come first (observed); a list in another order, or without
   * times in its records, is read in one lane. Where the list changes while it is walked, so that a part cannot end where
   * the next one begins, the walk ends with a {@link PlaceLostError}.
   *
   * @throws An InputError for a query without times, for options that cannot work, and beside `checkpoint`, `maxPages` or a `cursor` of the call
   * @example
   * ```ts
   * const rewards = client.accounts.rewards({ address, min_time: ago(4, "week") });
   * for await (const reward of rewards.parallel({ lanes: 8 })) console.log(reward.block, reward.amount);
   * ```
   */
  parallel(options?: ParallelOptions): ParallelWalk<T>;
}

/** One walk through a list in parallel lanes. */
export interface ParallelWalk<T> extends WalkIterator<T, ParallelCheckpoint> {}

/** The pager of a row, by what the row says of its list. */
export type PagerOf<T, Trait> = "timed" extends Trait ? TimedPager<T> : Pager<T>;
