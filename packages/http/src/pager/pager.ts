import { guardInput } from "@fieldmesh/core";
import { CursorExpiredError } from "../errors/cursor-expired-error.ts";
import { isApiError } from "../errors/guards.ts";
import { InputError } from "../errors/input-error.ts";
import type { BoundRow } from "../request/request.ts";
import type { PageResult } from "../table/result.ts";
import type { SendOptions } from "../options/call-options.ts";
import type { Transport } from "../transport.ts";
import { checkCheckpoint, type QueryIdentity } from "./checkpoint.ts";
import { iterate } from "./iterate.ts";
import type { CurrentPage, Page, Pager, PagerIterator } from "./page.ts";
import { checkCount, readWalkSettings, type PagerOptions } from "./pager-options.ts";
import { createWalk, type Walk, type WalkSource } from "./walk.ts";

type Input = Readonly<Record<string, unknown>> | undefined;

/** Makes the pager of one call of a paged row. */
export function createPager<T>(
  bound: BoundRow,
  transport: Transport,
  input: Input,
  options: SendOptions & PagerOptions = {},
): Pager<T> {
  const facts = { call: bound.call, route: bound.row.route };
  if (typeof options !== "object" || options === null)
    throw new InputError(facts, [
      { path: "options", message: "must be an object, such as { signal }" },
    ]);
  const source = createSource<T>(bound, transport, input, options);

  function open(): Walk<T> {
    const settings = readWalkSettings(facts, options);
    const { checkpoint } = settings;
    const own = source.identify();
    const resumeFrom =
      checkpoint === undefined ? undefined : checkCheckpoint(facts, checkpoint, own);
    const identity = { ...own, query: resumeFrom?.query ?? own.query };
    return createWalk(
      {
        ...source,
        identity,
        fetchPage: (cursor, signal) => source.fetchPage(cursor, signal, identity.query),
      },
      settings,
      resumeFrom,
    );
  }

  function walk(): PagerIterator<T> {
    let page: CurrentPage<T> | undefined;
    let owner: Walk<T> | undefined;
    return iterate(source, open, {
      takeNow() {
        if (page === undefined || owner === undefined || page.offset >= page.end) return undefined;
        const value = page.items[page.offset] as T;
        owner.give(1);
        return { done: false, value };
      },
      async readMore(from) {
        owner = from;
        page = await from.nextPage();
        return page !== undefined;
      },
    });
  }

  function pages(): PagerIterator<Page<T>> {
    let next: Page<T> | undefined;
    return iterate<T, Page<T>>(source, open, {
      takeNow() {
        const value = next;
        next = undefined;
        return value && { done: false, value };
      },
      async readMore(from) {
        const page = await from.nextPage();
        if (page === undefined) return false;
        const { items, offset, end, cursor, meta } = page;
        next = { items: items.slice(offset, end), cursor, meta };
        from.give(end - offset);
        return true;
      },
    });
  }

  const take = (count: number): Pager<T> => {
    const { maxItems = Infinity } = options;
    const most = checkCount(facts, "maxItems", count);
    return createPager(bound, transport, input, { ...options, maxItems: Math.min(most, maxItems) });
  };

  return {
    walk,
    [Symbol.asyncIterator]: walk,
    pages,
    page: async (cursor) =>
      await source.fetchPage(cursor ?? source.start, options.signal, source.identify().query),
    take,
    async toArray(only) {
      const all: T[] = [];
      // JavaScript may leave the options out.
      const limit = guardInput("The options of toArray", only, () =>
        checkCount(facts, "limit", (only as Partial<typeof only> | undefined)?.limit as number),
      );
      for await (const item of take(limit)) all.push(item);
      return all;
    },
    stream() {
      const iterator = walk();
      return new ReadableStream<T>(
        {
          async pull(controller) {
            const { done, value } = await iterator.next();
            if (done === true) controller.close();
            else controller.enqueue(value);
          },
          async cancel() {
            await iterator.return();
          },
        },
        // Nothing is read before the first item is asked for.
        { highWaterMark: 0 },
      );
    },
  };
}

/** What a walk goes through, before it is known which query it repeats. */
type Source<T> = Pick<WalkSource<T>, "facts" | "key" | "signal" | "start"> & {
  identify(): QueryIdentity;
  /** Reads a page with the query of the first one. */
  fetchPage(
    cursor: string | undefined,
    signal: AbortSignal | undefined,
    firstQuery: QueryIdentity["query"],
  ): Promise<Page<T>>;
};

function createSource<T>(
  bound: BoundRow,
  transport: Transport,
  input: Input,
  options: SendOptions & PagerOptions,
): Source<T> {
  const { row, call } = bound;
  const { timeout, totalTimeout, retry, priority, validation, headers, schema } = options;
  const { query, signal, repeatQuery = true } = options;
  const { cursor: start, ...filters } = input ?? {};
  const inPath = Object.fromEntries(Object.entries(filters).filter(([key]) => key in row.path));
  const { key, cursorExpires } = row.result as PageResult;

  return {
    facts: { call, route: row.route },
    key,
    signal,
    start: start as string | undefined,
    identify: () => ({ call, ...transport.identify(bound, input, query) }),
    async fetchPage(cursor, pageSignal, firstQuery) {
      const first = cursor === undefined;
      const sent = first ? input : { ...inPath, cursor };
      const sendOptions = {
        timeout,
        totalTimeout,
        retry,
        priority,
        validation,
        headers,
        schema,
        signal: pageSignal,
        ...(first && { query }),
        ...((first || repeatQuery) && { sentQuery: firstQuery }),
      };
      try {
        const { output } = await transport.send(bound, sent, sendOptions);
        const response = output as { data: T[]; cursor?: string | null; meta?: unknown };
        const { data: items, meta } = response;
        // An empty cursor leads nowhere: it says the same as none.
        return { items, cursor: response.cursor || undefined, meta };
      } catch (error) {
        const expired =
          !first &&
          isApiError(error, BAD_REQUEST) &&
          (cursorExpires === true || error.code === EXPIRED);
        throw expired ? new CursorExpiredError(error, cursor) : error;
      }
    },
  };
}

const BAD_REQUEST = 400;
/** The code that a client's reader of error bodies returns where the body itself says so. */
const EXPIRED = "cursor_expired";
