import { expect, test, describe, afterEach, beforeEach } from "vitest";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import * as z from "zod/mini";
import { record } from "@fieldmesh/core/internal/schema";
import {
  type FetchFunction,
  ConnectionError,
  CursorExpiredError,
  InputError,
  isApiError,
  type PagerOptions,
  bind,
  endpoint,
  page,
  type CallError,
  AbortError,
  CursorLoopError,
  TooManyEmptyPagesError,
} from "../src/internal.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { createThings, errorOf, createThingsTransport, thing } from "./things.ts";
import { createPager } from "../src/pager.ts";

/** Creates a list from pages by cursor. The first page has the cursor "". */
function paged(pages: Record<string, { ids: number[]; next?: string }>): {
  fetch: FetchFunction;
  queries: string[];
} {
  const queries: string[] = [];
  return {
    queries,
    fetch: async (url) => {
      const { search, searchParams } = new URL(url);
      queries.push(search);
      const { ids, next } = pages[searchParams.get("cursor") ?? ""] ?? { ids: [] };
      return Response.json({
        data: ids.map((id) => ({ id, name: String(id) })),
        ...(next !== undefined && { cursor: next }),
      });
    },
  };
}

test("walks through empty pages to the page without a cursor", async () => {
  const { fetch } = paged({
    "": { ids: [], next: "a" },
    a: { ids: [1, 2], next: "b" },
    b: { ids: [], next: "c" },
    c: { ids: [3] },
  });
  expect(await idsOf(createThings({ fetch }).walk())).toEqual([1, 2, 3]);
});

test("repeats the first query with every cursor", async () => {
  const { fetch, queries } = paged({ "": { ids: [1], next: "a/b" }, "a/b": { ids: [2] } });
  await idsOf(createThings({ fetch }).walk({ kind: "x y" }));
  expect(queries).toEqual(["?kind=x%20y", "?kind=x%20y&cursor=a%2Fb"]);
  queries.length = 0;
  await createThings({ fetch }).walk({ kind: "x" }).page("a/b");
  await idsOf(createThings({ fetch }).walk({ kind: "x", cursor: "a/b" }));
  expect(queries).toEqual(["?kind=x&cursor=a%2Fb", "?kind=x&cursor=a%2Fb"]);
});

test("sends only the cursor with repeatQuery: false", async () => {
  const { fetch, queries } = paged({ "": { ids: [1], next: "a" }, a: { ids: [2] } });
  const options = { repeatQuery: false, query: { state: "new" } };
  await idsOf(createThings({ fetch }).walk({ kind: "x" }, options));
  expect(queries).toEqual(["?kind=x&state=new", "?cursor=a"]);
});

test.for([null, ""])("a cursor of %j ends the list, as a missing cursor does", async (cursor) => {
  const things = createThings({
    fetch: async () => Response.json({ data: [{ id: 1, name: "1" }], cursor }),
  });
  expect(await idsOf(things.walk())).toEqual([1]);
});

test("creating a pager sends nothing, and each loop starts a new walk", async () => {
  const { fetch, queries } = paged({ "": { ids: [1] } });
  const list = createThings({ fetch }).walk();
  expect(queries).toEqual([]);
  await idsOf(list);
  await idsOf(list);
  expect(queries).toHaveLength(2);
});

test("page() reads one page, and toArray() reads items up to a limit", async () => {
  const { fetch, queries } = paged({
    "": { ids: [1, 2], next: "a" },
    a: { ids: [3, 4], next: "b" },
    b: { ids: [5] },
  });
  const list = createThings({ fetch }).walk();
  expect(await list.page("a")).toMatchObject({ items: [{ id: 3 }, { id: 4 }], cursor: "b" });
  queries.length = 0;
  expect((await list.toArray({ limit: 3 })).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(queries).toHaveLength(2);
});

test("maxResponseBytes limits each page", async () => {
  const { fetch } = paged({ "": { ids: [1, 2] } });
  const error = await errorOf(createThings({ fetch }).walk({}, { maxResponseBytes: 10 }).page());
  expect(error.message).toContain("is larger than maxResponseBytes (10)");
});

test("Readable.from accepts a walk, and destroying the stream cancels requests in progress", async () => {
  const list = startList({ length: 7 });
  const ids: number[] = [];
  for await (const { id } of Readable.from(list.things.walk()) as AsyncIterable<{ id: number }>)
    ids.push(id);
  expect(ids).toEqual(upTo(7));
  const cut = startList({ length: 70 });
  const stream = Readable.from(cut.things.walk());
  for await (const _ of stream) break;
  await turn();
  expect(cut.open).toBe(0);
  expect(stream.destroyed).toBe(true);
});

describe("a cursor that expires", () => {
  const things = (fetch: FetchFunction) =>
    createThings({
      fetch,
      retry: false,
      service: { readError: () => ({ code: "cursor_expired" }) },
    });

  test("is not reported for a first page without a cursor", async () => {
    const { walk } = things(async () => new Response("", { status: 400 }));
    expect(isApiError(await errorOf(walk().page()), 400)).toBe(true);
    expect(await errorOf(walk().page("c2"))).toBeInstanceOf(CursorExpiredError);
    expect(await errorOf(walk({ cursor: "c2" }).page())).toBeInstanceOf(CursorExpiredError);
  });

  test("is reported for a 400 only, not for another status or a network failure", async () => {
    const { walk } = things(async () => new Response("", { status: 410 }));
    expect(isApiError(await errorOf(walk().page("c2")), 410)).toBe(true);
    const broken = things(async () => {
      throw Object.assign(new Error("x"), { code: "cursor_expired" });
    });
    expect(await errorOf(broken.walk().page("c2"))).toBeInstanceOf(ConnectionError);
  });

  test("is handled three times in a row without a new item, and is an error the fourth time", async () => {
    for (const [times, isPassed] of [
      [3, true],
      [4, false],
    ] as const) {
      const list = startList({ length: 7 });
      // Before each failure, the walk reads the first page again.
      const failures = Array.from({ length: times }, () => ["expired" as const, undefined]).flat();
      list.failures.push(undefined, ...failures);
      const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
      const ids = upTo(3).map(async () => (await walk.next()).value?.id);
      expect(await Promise.all(ids)).toEqual(upTo(3));
      const next = walk.next();
      if (isPassed) expect((await next).value?.id).toBe(3);
      else expect(await errorOf(next)).toBeInstanceOf(CursorExpiredError);
      expect(await idsOf(walk)).toEqual(upTo(7, isPassed ? 4 : 3));
    }
  });

  test("is an error if the walk began at a cursor, because its place is unknown", async () => {
    const list = startList({ length: 9 });
    list.failures.push(undefined, "expired");
    const walk = list.things.walk({ cursor: "c3" }, { onCursorExpired: "restart" });
    expect(await errorOf(idsOf(walk))).toBeInstanceOf(CursorExpiredError);
  });
});

describe("options of a walk", () => {
  test.each<[PagerOptions, number]>([
    [{}, 4],
    [{ maxItems: 0 }, 0],
    [{ maxItems: 2 }, 1],
    [{ maxItems: 3 }, 1],
    [{ maxItems: 4 }, 2],
    [{ maxPages: 0 }, 0],
    [{ maxPages: 1 }, 1],
    [{ maxPages: 2 }, 2],
    [{ maxPages: 9, maxItems: 9 }, 3],
  ])("%j ends a walk of four pages after %i requests", async (options, requests) => {
    const list = startList({ length: 10 });
    const items = Math.min(10, options.maxItems ?? 10, 3 * (options.maxPages ?? 10));
    expect(await idsOf(list.things.walk({}, options))).toEqual(upTo(items));
    await turn();
    expect(list.queries).toHaveLength(requests);
  });

  test.each([
    [1, 2],
    [0, 1],
    [undefined, 2],
  ] as const)(
    "with prefetch %s, a walk has sent %i requests when it returns the first item",
    async (prefetch, requests) => {
      const list = startList({ length: 9 });
      await list.things.walk({}, { prefetch }).walk().next();
      await turn();
      expect(list.queries).toHaveLength(requests);
    },
  );
});

test("take returns a list that ends after the smallest of all its limits", async () => {
  const list = startList({ length: 9 });
  const all = list.things.walk({}, { maxItems: 7 });
  expect(await idsOf(all.take(5).take(8))).toEqual(upTo(5));
  expect(await idsOf(all.take(8))).toEqual(upTo(7));
  expect(await idsOf(all.take(0))).toEqual([]);
  expect(await all.take(4).toArray({ limit: Infinity })).toHaveLength(4);
  const error = await errorOf((async () => all.take(-1))());
  expect(error.message).toContain(
    "options.maxItems: must be a whole number from 0 up, or Infinity",
  );
});

test("toArray requires a limit, and sends nothing with the limit 0", async () => {
  const list = startList({ length: 9 });
  for (const options of [undefined, {}, { limit: "3" }, { limit: -1 }, { limit: 1.5 }]) {
    const error = await errorOf(list.things.walk().toArray(options as { limit: number }));
    expect(error instanceof InputError && error.problems).toEqual([
      { path: "options.limit", message: "must be a whole number from 0 up, or Infinity" },
    ]);
  }
  expect(await list.things.walk().toArray({ limit: 0 })).toEqual([]);
  expect(list.queries).toEqual([]);
});

test("pages() cuts the last page at maxItems, returns empty pages, and has a checkpoint after each page", async () => {
  const list = startList({ length: 5 });
  const walk = list.things.walk({}, { maxItems: 4 }).pages();
  const first = await walk.next();
  expect(first.value).toMatchObject({ cursor: "c3", items: upTo(3).map((id) => ({ id })) });
  const checkpoint = walk.checkpoint();
  expect(checkpoint.items).toBe(3);
  expect((await walk.next()).value?.items).toMatchObject([{ id: 3 }]);
  expect((await walk.next()).done).toBe(true);
  expect(await idsOf(list.things.walk({}, { checkpoint }))).toEqual([3, 4]);
  const empty = startList({ length: 0 }).things.walk().pages();
  expect((await empty.next()).value).toEqual({ items: [], cursor: undefined, meta: undefined });
  expect((await empty.next()).done).toBe(true);
});

test("a stream requests nothing before its first read, and ends with the walk", async () => {
  const list = startList({ length: 4 });
  const ids: number[] = [];
  const stream = list.things.walk().stream();
  await turn();
  expect(list.queries).toEqual([]);
  for await (const { id } of stream) ids.push(id);
  expect(ids).toEqual(upTo(4));

  const other = startList({ length: 9 });
  const reader = other.things.walk().stream().getReader();
  expect((await reader.read()).value?.id).toBe(0);
  other.hold();
  await reader.cancel();
  await turn();
  expect(other.open).toBe(0);
  expect((await reader.read()).done).toBe(true);
});

const Part = record({ id: z.int(), name: z.string() });

describe("a walk", () => {
  test("in pages that resumes within a page knows its place after each page", async () => {
    const list = startList({ length: 10, size: 4 });
    const items = list.things.walk().walk();
    for (let count = 0; count < 6; count++) await items.next();
    const pages = list.things.walk({}, { checkpoint: items.checkpoint() }).pages();
    const { value } = await pages.next();
    expect(value?.items.map(({ id }) => id)).toEqual(upTo(8).slice(6));
    const rest = list.things.walk({}, { checkpoint: pages.checkpoint() });
    expect((await rest.toArray({ limit: 9 })).map(({ id }) => id)).toEqual(upTo(10).slice(8));
  });

  test.each([
    [true, "CursorExpiredError"],
    [undefined, "ApiError"],
  ])(
    "with cursorExpires: %s takes a 400 behind a cursor for the error %s",
    async (cursorExpires, name) => {
      const rows = {
        /** Walk parts. */
        walk: endpoint("GET /v1/parts", {
          query: { cursor: z.optional(z.string()) },
          result: page(Part, { key: ["id"], cursorExpires }),
        }),
      };
      const fetch: FetchFunction = async (url) =>
        url.includes("cursor")
          ? new Response("no", { status: 400 })
          : Response.json({ data: [thing], cursor: "next" });
      const { walk } = bind("parts", rows, createThingsTransport({ fetch }), createPager);
      const error = await errorOf<CallError>(walk().toArray({ limit: 2 }));
      expect(error.name).toBe(name);
    },
  );
});

describe("a walk whose pages fail", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);

  beforeEach(() => void process.on("unhandledRejection", note));
  afterEach(async () => {
    // Node reports an unhandled rejection once the microtask queue is empty.
    await turn();
    await turn();
    process.off("unhandledRejection", note);
    // oxlint-disable-next-line vitest/no-standalone-expect -- each test must leave no unhandled rejection
    expect(unhandled.splice(0)).toEqual([]);
  });

  test("the next call of next() retries a page that failed", async () => {
    const list = startList({ length: 7 });
    list.failures.push(undefined, 500, 503);
    const walk = list.things.walk().walk();
    const ids: number[] = [];
    const failures: number[] = [];
    for (;;) {
      try {
        const { done, value } = await walk.next();
        if (done === true) break;
        ids.push(value.id);
      } catch (error) {
        expect(isApiError(error)).toBe(true);
        failures.push(ids.length);
      }
    }
    expect(ids).toEqual(upTo(7));
    expect(failures).toEqual([3, 3]);
  });

  test("the failure of a next() for which the caller no longer waits is not an unhandled rejection", async () => {
    const list = startList({ length: 2 });
    list.failures.push(500, 500);
    const walk = list.things.walk().walk();
    void walk.next();
    void walk.next();
    expect(await idsOf(walk)).toEqual([0, 1]);
  });

  test("after a CursorLoopError, next() rejects again and sends nothing", async () => {
    const list = startList({ length: 9, next: () => "c3" });
    const walk = list.things.walk().walk();
    const first = await errorOf(idsOf(walk));
    expect(first).toBeInstanceOf(CursorLoopError);
    expect(first).toMatchObject({ cursor: "c3", pages: 2, items: 6 });
    expect(first.message).toContain("had already followed, after 2 pages and 6 items.");
    const asked = list.queries.length;
    expect(await errorOf(walk.next())).toBeInstanceOf(CursorLoopError);
    expect(list.queries).toHaveLength(asked);
  });

  test("after a TooManyEmptyPagesError, next() reads the same number of pages again", async () => {
    const endless = startList({ length: 10, size: 0, next: () => `c${Math.random()}` });
    const walk = endless.things.walk({}, { maxEmptyPages: 4 }).walk();
    expect(await errorOf(walk.next())).toBeInstanceOf(TooManyEmptyPagesError);
    expect(endless.queries).toHaveLength(5);
    expect(await errorOf(walk.next())).toBeInstanceOf(TooManyEmptyPagesError);
    expect(endless.queries).toHaveLength(10);
  });

  test("break cancels the request in progress", async () => {
    const list = startList({ length: 9 });
    for await (const { id } of list.things.walk()) {
      if (id === 0) {
        list.hold();
        continue;
      }
      break;
    }
    await turn();
    expect(list.queries).toHaveLength(2);
    expect(list.open).toBe(0);
  });

  test("an error in the loop body cancels the request in progress, and is rethrown unchanged", async () => {
    const list = startList({ length: 9 });
    const broken = new Error("in the body");
    const run = async (): Promise<void> => {
      for await (const { id } of list.things.walk()) if (id === 1) throw broken;
    };
    expect(await errorOf(run())).toBe(broken);
    await turn();
    expect(list.open).toBe(0);
  });

  test("return() ends a pending next()", async () => {
    const list = startList({ length: 9 });
    list.hold();
    const walk = list.things.walk().walk();
    const waiting = walk.next();
    await turn();
    await walk.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(list.cancelled).toBe(1);
  });

  test("the signal ends the walk at once, even if items are already loaded", async () => {
    const list = startList({ length: 9 });
    const controller = new AbortController();
    const walk = list.things.walk({}, { signal: controller.signal }).walk();
    await walk.next();
    list.hold();
    const reason = new Error("enough");
    controller.abort(reason);
    const error = await errorOf(walk.next());
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toBe(reason);
    expect(await errorOf(walk.next())).toBeInstanceOf(AbortError);
    await turn();
    expect(list.open).toBe(0);
  });

  test("overlapping calls of next() resolve in order, with each item once", async () => {
    const list = startList({ length: 8 });
    const walk = list.things.walk().walk();
    const results = await Promise.all(Array.from({ length: 10 }, () => walk.next()));
    expect(results.map(({ value }) => value?.id)).toEqual([...upTo(8), undefined, undefined]);
  });

  test("an expired cursor causes a CursorExpiredError that prints no cursor", async () => {
    const list = startList({ length: 9 });
    list.failures.push(undefined, "expired");
    const error = await errorOf(idsOf(list.things.walk()));
    expect(error).toBeInstanceOf(CursorExpiredError);
    expect(error).toMatchObject({ cursor: "c3", outcome: "rejected" });
    expect(error.message).toContain('onCursorExpired: "restart"');
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("c3");
  });

  test.for([
    ["maxItems", { maxItems: -1 }],
    ["maxPages", { maxPages: 1.5 }],
    ["prefetch", { prefetch: 2 }],
    ["anchorSize", { anchorSize: 0 }],
    ["onCursorExpired", { onCursorExpired: "guess" }],
    ["query.kind", { query: { kind: "x" } }],
  ] as const)("rejects the option %s before anything is sent", async ([name, options]) => {
    const list = startList({ length: 9 });
    const error = await errorOf(
      list.things
        .walk({}, options as never)
        .walk()
        .next(),
    );
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toContain(`options.${name}`);
    expect(list.queries).toEqual([]);
  });
});
