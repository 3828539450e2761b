// Why it is so: docs/decisions/07-the-pager.md
import { readCheckpoint, readInput } from "@fieldmesh/core/internal";
import { keepPlace } from "../errors/caller-place.ts";
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
    let current: CurrentPage<T> | undefined;
    let owner: Walk<T> | undefined;
    return iterate(walk, source, open, {
      takeNow() {
        if (current === undefined || owner === undefined || current.offset >= current.end)
          return undefined;
        const value = current.items[current.offset] as T;
        owner.give(1);
        return { done: false, value };
      },
      async readMore(from) {
        owner = from;
        current = await from.nextPage();
        return current !== undefined;
      },
    });
  }

  function pages(): PagerIterator<Page<T>> {
    let next: Page<T> | undefined;
    return iterate(pages, source, open, {
      takeNow(): IteratorYieldResult<Page<T>> | undefined {
        const value = next;
        next = undefined;
        return value && { done: false, value };
      },
      async readMore(from) {
        const read = await from.nextPage();
        if (read === undefined) return false;
        const { items, offset, end, cursor, meta } = read;
        next = { items: items.slice(offset, end), cursor, meta };
        from.give(end - offset);
        return true;
      },
    });
  }

  async function page(cursor?: string): Promise<Page<T>> {
    const withPlace = keepPlace(page);
    try {
      const { query } = source.identify();
      return await source.fetchPage(cursor ?? source.start, options.signal, query);
    } catch (error) {
      throw withPlace(error);
    }
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
    page,
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
