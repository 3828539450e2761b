import type { Checkpoint } from "./checkpoint.ts";

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
  /** How many items at its start repeat the last rows of the page before. */
  readonly repeated: number;
}

/** A walk through a list. Unlike a generator, it survives a failure: the next call of `next()` retries. */
export interface WalkIterator<T, C> {
  /** Returns the next item, and fetches pages as needed. */
  next(): Promise<IteratorResult<T, undefined>>;
  /** Ends the walk and cancels its request. `for await` calls it on `break` and on an error in the body of the loop. */
  return(): Promise<IteratorResult<T, undefined>>;
  /**
   * Returns a small JSON value for the items that `next()` has returned so far, without those read ahead. Pass it to the same
   * call as the option `checkpoint`, in this process or another, to resume after them.
   */
  checkpoint(): C;
  /**
   * How many of the items that `next()` has returned in this walk were at the start of a page and repeated, in all fields, up to ten
   * rows with which the page before ended. Whether they are other records, only the service knows. To leave them out, skip an item
   * that increased this number.
   */
  readonly repeated: number;
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
