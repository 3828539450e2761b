import { expect, test } from "vitest";
import { CursorLoopError, TooManyEmptyPagesError, type FetchFunction } from "../src/internal.ts";
import { createThings, errorOf, type Thing } from "./things.ts";

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

async function idsOf(list: AsyncIterable<Thing>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
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

test.for([
  ["A after A", { "": { ids: [1], next: "a" }, a: { ids: [2], next: "a" } }, 2],
  [
    "A after B",
    { "": { ids: [1], next: "a" }, a: { ids: [2], next: "b" }, b: { ids: [3], next: "a" } },
    3,
  ],
] as const)("a repeated cursor, %s, causes a CursorLoopError", async ([, pages, items]) => {
  const error = await errorOf<CursorLoopError>(
    idsOf(createThings({ fetch: paged(pages as never).fetch }).walk()),
  );
  expect(error).toBeInstanceOf(CursorLoopError);
  expect(error).toMatchObject({ cursor: "a", items });
});

test.for([
  [1, 1_000],
  [50, 20],
] as const)(
  "a loop that follows %i pages and has %i pages is noticed before an item repeats",
  async ([before, length]) => {
    const fetch = rho(before, length);
    const seen = new Set<number>();
    const error = await errorOf<CursorLoopError>(
      (async () => {
        for await (const { id } of createThings({ fetch }).walk()) {
          expect(seen.has(id)).toBe(false);
          seen.add(id);
        }
      })(),
    );
    expect(error).toBeInstanceOf(CursorLoopError);
    expect(seen.size).toBe(before + length);
  },
);

test.for([
  [1, 1_001],
  [300, 1_100],
] as const)(
  "a loop that follows %i pages and has %i pages is noticed within three times as many pages",
  async ([before, length]) => {
    const error = await errorOf<CursorLoopError>(
      idsOf(createThings({ fetch: rho(before, length) }).walk()),
    );
    expect(error).toBeInstanceOf(CursorLoopError);
    expect(error.pages).toBeLessThanOrEqual(3 * (before + length));
  },
);

/** Creates a list whose last page leads back to the page after the first `before` pages. */
function rho(before: number, length: number): FetchFunction {
  return async (url) => {
    const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
    const next = at + 1 === before + length ? before : at + 1;
    return Response.json({ data: [{ id: at, name: "one" }], cursor: String(next) });
  };
}

test("too many empty pages cause a TooManyEmptyPagesError", async () => {
  const fetch: FetchFunction = async (url) => {
    const cursor = Number(new URL(url).searchParams.get("cursor") ?? 0);
    return Response.json({ data: [], cursor: String(cursor + 1) });
  };
  const error = await errorOf(idsOf(createThings({ fetch }).walk({}, { maxEmptyPages: 5 })));
  expect(error).toBeInstanceOf(TooManyEmptyPagesError);
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
