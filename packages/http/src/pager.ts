import type { CallOptions, SendOptions } from "./call-options.js";
import { InputError } from "./errors/input-error.js";
import { CursorLoopError } from "./errors/cursor-loop-error.js";
import { TooManyEmptyPagesError } from "./errors/too-many-empty-pages-error.js";
import type { BoundRow } from "./request.js";
import type { Transport } from "./transport.js";

/** One answer of a paged list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The token to the next page; `undefined` on the last one. */
  readonly cursor: string | undefined;
}

/**
 * A list that is read page by page while it is walked. Making one sends nothing; each walk is a new one.
 *
 * A walk ends only where the server gives no cursor: an empty page with a cursor is followed. A cursor that comes a
 * second time is a {@link CursorLoopError}.
 *
 * @example
 * ```ts
 * for await (const block of ledger.blocks.list()) console.log(block.height);
 * ```
 */
export interface Pager<T> extends AsyncIterable<T> {
  /** Walks page by page. */
  pages(): AsyncIterable<Page<T>>;
  /** Reads a single page: the first, or that of a cursor. */
  page(cursor?: string): Promise<Page<T>>;
  /** Reads the whole list, at most `limit` items. */
  toArray(options: { limit: number }): Promise<T[]>;
}

/** Options of a call to a paged list. */
export interface PagerOptions extends CallOptions {
  /** Empty pages in a row that are followed; one more is a TooManyEmptyPagesError. @default 1_000 */
  maxEmptyPages?: number | undefined;
}

const DEFAULT_MAX_EMPTY_PAGES = 1_000;

/** Makes the pager of one call of a paged row. */
export function createPager<T>(
  bound: BoundRow,
  transport: Transport,
  input: Readonly<Record<string, unknown>> | undefined,
  options: (SendOptions & PagerOptions) | undefined,
): Pager<T> {
  const { maxEmptyPages = DEFAULT_MAX_EMPTY_PAGES, ...callOptions } = options ?? {};
  const facts = { call: bound.call, route: bound.row.route };

  async function page(cursor?: string): Promise<Page<T>> {
    // The cursor holds the filters: after the first page only it is sent, beside what stands in the path.
    const pathOnly = Object.entries(input ?? {}).filter(([key]) => key in bound.row.path);
    const sent = cursor === undefined ? input : { ...Object.fromEntries(pathOnly), cursor };
    const { output } = await transport.send(bound, sent, callOptions);
    const { data, cursor: next } = output as { data: T[]; cursor?: string | null };
    return { items: data, cursor: next ?? undefined };
  }

  async function* pages(): AsyncGenerator<Page<T>, void, undefined> {
    const seen = new Set<string>();
    let items = 0;
    let empty = 0;
    for (let cursor: string | undefined; ;) {
      const current = await page(cursor);
      items += current.items.length;
      empty = current.items.length === 0 ? empty + 1 : 0;
      yield current;
      cursor = current.cursor;
      if (cursor === undefined) return;
      if (seen.has(cursor))
        throw new CursorLoopError(facts, { cursor, pages: seen.size + 1, items });
      if (empty > maxEmptyPages) throw new TooManyEmptyPagesError(facts, cursor, maxEmptyPages);
      seen.add(cursor);
    }
  }

  async function* walk(): AsyncGenerator<T, void, undefined> {
    for await (const { items } of pages()) yield* items;
  }

  return {
    page,
    pages,
    [Symbol.asyncIterator]: walk,
    async toArray({ limit }) {
      if (Number.isNaN(limit))
        throw new InputError(facts, [{ path: "limit", message: "must be a number" }]);
      const all: T[] = [];
      if (limit <= 0) return all;
      for await (const item of walk()) if (all.push(item) >= limit) break;
      return all;
    },
  };
}
