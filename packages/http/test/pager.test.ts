import { expect, test } from "vitest";
import { type FetchFunction } from "../src/internal.ts";
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
