import { guardInput } from "@fieldmesh/core";
import { inputProblem } from "../errors/input-error.ts";
import type { BoundRow } from "../request/request.ts";
import type { PageResult } from "../table/result.ts";
import type { SendOptions } from "../options/call-options.ts";
import { checkCheckpoint } from "./checkpoint.ts";
import { iterate } from "./iterate.ts";
import type { CurrentPage, Page, Pager, PagerIterator } from "./page.ts";
import { checkCount, readWalkSettings, type PagerOptions } from "./pager-options.ts";
import type { ParallelOptions } from "./parallel/options.ts";
import type { walkInParallel } from "./parallel/walk-in-parallel.ts";
import { createSource, startWalk, type Input, type PageSender } from "./source.ts";
import { splitList } from "./split-list.ts";
import type { Walk } from "./walk.ts";

/** Features that only some clients have, so that the others do not bundle them. */
export interface WaysToWalk {
  readonly walkInParallel?: typeof walkInParallel | undefined;
}

/** Creates the pager of one call of a paged row. */
export function createPager<T>(
  bound: BoundRow,
  sender: PageSender,
  input: Input,
  options: SendOptions & PagerOptions = {},
  ways: WaysToWalk = {},
): Pager<T> {
  const facts = { call: bound.call, route: bound.row.route };
  if (typeof options !== "object" || options === null)
    throw inputProblem(facts, "options", "must be an object, such as { signal }");
  const source = createSource<T>(bound, sender, input, options);

  function open(): Walk<T> {
    const settings = readWalkSettings(facts, options);
    const { checkpoint } = settings;
    const own = source.identify();
    const resumeFrom =
      checkpoint === undefined ? undefined : checkCheckpoint(facts, checkpoint, own);
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
    const most = checkCount(facts, "maxItems", count);
    return createPager(
      bound,
      sender,
      input,
      { ...options, maxItems: Math.min(most, maxItems) },
      ways,
    );
  };

  const { parts } = bound.row.result as PageResult;
  const { walkInParallel: walkParts } = ways;
  return {
    walk,
    ...(parts &&
      walkParts && {
        parallel: (own?: ParallelOptions) =>
          walkParts(splitList<T>(bound, sender, input, options), parts, own),
      }),
    [Symbol.asyncIterator]: walk,
    pages,
    page: async (cursor) =>
      await source.fetchPage(cursor ?? source.start, options.signal, source.identify().query),
    take,
    async toArray(only) {
      const all: T[] = [];
      // JavaScript code may omit the options.
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
        // Reads nothing before the consumer asks for the first item.
        { highWaterMark: 0 },
      );
    },
  };
}
