// Why it is so: docs/decisions/07-the-pager.md
import { readCheckpoint, readInput } from "@fieldmesh/core/internal";
import { inputProblem } from "../errors/input-error.ts";
import { checkpointSchema } from "./checkpoint.ts";
import { iterate } from "./iterate.ts";
import type { CurrentPage, Page, Pager, PagerIterator } from "./page.ts";
import { checkCount, readWalkSettings } from "./pager-options.ts";
import type { Endpoint, Table } from "../table/row.ts";
import { createSource, startWalk, type PagerCall } from "./source.ts";
import type { Walk } from "./walk.ts";

/** Creates the pager of one call of a paged row. */
export type CreatePager = <T>(call: PagerCall) => Pager<T>;

/** The last argument of `bind`. A table with a paged row requires it. */
export type PagersOf<T extends Table> =
  "page" extends TraitOf<T[keyof T]> ? [createPager: CreatePager] : [createPager?: CreatePager];
type TraitOf<E> = E extends Endpoint<never, unknown, infer Trait> ? Trait : never;

/** Creates the pager of one call of a paged row. `create` creates the pagers of `take`, for a client whose pagers can do more. */
export function createPager<T>(call: PagerCall, create: CreatePager = createPager): Pager<T> {
  const { endpoint, options = {} } = call;
  const context = { call: endpoint.call, route: endpoint.row.route };
  if (typeof options !== "object" || options === null)
    throw inputProblem(context, "options", "must be an object, such as { signal }");
  const source = createSource<T>({ ...call, options });

  function open(): Walk<T> {
    const settings = readWalkSettings(context, options);
    const { checkpoint } = settings;
    const own = source.identify();
    const resumeFrom =
      checkpoint === undefined ? undefined : readCheckpoint(checkpointSchema, checkpoint, own);
    const identity = { ...own, query: resumeFrom?.query ?? own.query };
    return startWalk(source, identity, settings, resumeFrom);
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
    return iterate(source, open, {
      takeNow(): IteratorYieldResult<Page<T>> | undefined {
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
    const most = checkCount(context, "maxItems", count);
    return create({ ...call, options: { ...options, maxItems: Math.min(most, maxItems) } });
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
      // JavaScript code may omit the options.
      const limit = readInput("The options of toArray", () =>
        checkCount(context, "limit", (only as Partial<typeof only> | undefined)?.limit as number),
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
        // Reads nothing before the consumer asks for the first item.
        { highWaterMark: 0 },
      );
    },
  };
}
