import type { Checkpoint } from "./checkpoint.ts";
import type { ParallelCheckpoint } from "./parallel/checkpoint.ts";
import type { ParallelOptions } from "./parallel/options.ts";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The token of the next page. `undefined` on the last page. */
  readonly cursor: string | undefined;
  /** The part of the response besides its items, as the service sent it. `undefined` if there is none. */
  readonly meta: unknown;
}

/** A page whose items from `offset` to `end` have yet to be returned. */
export interface CurrentPage<T> extends Page<T> {
  readonly readFrom: string | undefined;
  /** The number of its items that were returned. */
  offset: number;
  /** The index after the last item to return. A limit may end the walk within the page. */
  readonly end: number;
}

/** A walk through a list. Unlike a generator, it survives a failure: the next call of `next()` retries. */
export interface WalkIterator<T, C> {
  next(): Promise<IteratorResult<T, undefined>>;
  /** Ends the walk and cancels its request. `for await` calls it on `break` and on an error in the body of the loop. */
  return(): Promise<IteratorResult<T, undefined>>;
  /**
   * Returns a small JSON value for the items that `next()` has returned so far, without those read ahead. Pass it to the same
   * call as the option `checkpoint`, in this process or another, to resume after them.
   */
  checkpoint(): C;
  [Symbol.asyncIterator](): this;
}

/** One walk through a list. */
export interface PagerIterator<T> extends WalkIterator<T, Checkpoint> {}

/**
 * A list that is read page by page while you iterate over it. Creating a pager sends nothing. Each walk is independent and keeps at
 * most two pages in memory.
 *
 * A walk ends when the server sends no cursor, or at a limit that you set. It follows an empty page with a cursor. A repeated
 * cursor throws a {@link CursorLoopError}: immediately in a loop of at most 1,000 pages, and within two more rounds of a longer
 * loop.
 *
 * @example
 * ```ts
 * for await (const block of client.blocks.list().take(200)) console.log(block.height);
 * ```
 */
export interface Pager<T> {
  /** Starts a walk item by item. `for await` uses it, and only a walk has `checkpoint()`. */
  walk(): PagerIterator<T>;
  [Symbol.asyncIterator](): PagerIterator<T>;
  /** Starts a walk page by page. It returns empty pages too. */
  pages(): PagerIterator<Page<T>>;
  /** Reads a single page: the first one, or that of a cursor. */
  page(cursor?: string): Promise<Page<T>>;
  /** Returns the same list, limited to the first `count` items. A walk reads no page beyond them. */
  take(count: number): Pager<T>;
  /** Reads at most `limit` items into an array. The limit is required; `Infinity` reads the whole list. */
  toArray(options: { limit: number }): Promise<T[]>;
  /**
   * Starts a walk as a web stream, which reads at the pace of its consumer and ends with it. For a Node stream, use
   * `Readable.from(list)`.
   */
  stream(): ReadableStream<T>;
}

/** A list that can be split by time, so that its parts are read at the same time. */
export interface TimedPager<T> extends Pager<T> {
  /**
   * Starts a walk that reads several parts of the list at the same time: `lanes` requests in parallel, within the rate limit of
   * the client. The first time is required. Without a last time, the list ends at the current time. Relative times are resolved
   * once, by the clock of this machine.
   *
   * A lane that finishes takes over half of the longest remaining part. Each item is returned exactly once, however the service
   * treats the border between two parts. The newest item must come first (observed). A list in another order, or without times in
   * its records, is read in one lane. If the list changes during the walk, so that a part does not end where the next one begins,
   * the walk throws a {@link PlaceLostError}.
   *
   * @throws An InputError for a query without times, for invalid options, and in combination with `checkpoint`, `maxPages` or a
   * `cursor` of the call
   * @example
   * ```ts
   * const rewards = client.accounts.rewards({ address, min_time: ago(4, "week") });
   * for await (const reward of rewards.parallel({ lanes: 8 })) console.log(reward.block, reward.amount);
   * ```
   */
  parallel(options?: ParallelOptions): ParallelWalk<T>;
}

/** A walk through a list in parallel lanes. */
export interface ParallelWalk<T> extends WalkIterator<T, ParallelCheckpoint> {}

/** The pager of a row, depending on the facts that the row declares about its list. */
export type PagerOf<T, Trait> = "timed" extends Trait ? TimedPager<T> : Pager<T>;
