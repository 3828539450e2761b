import type { CallOptions } from "@fieldmesh/http";
import { expect, test } from "vitest";
import { type BlockList, createBacklog } from "./backlog.ts";
import { createLedgerClient } from "./client.ts";
import { hasExpired } from "./follow.ts";

/** A page: its heights in their order, and the cursor of the next page. */
type Page = readonly [heights: readonly number[], next?: string];

/** Creates a backlog over a list with a page for each cursor. The first page has the key `start`. */
function open(pages: Record<string, Page | Response>, options: CallOptions = {}) {
  const requests: string[] = [];
  const received: [object, CallOptions][] = [];
  const { blocks } = createLedgerClient({
    baseUrl: "https://ledger.test",
    retry: false,
    rateLimit: false,
    fetch(url) {
      const cursor = new URL(url).searchParams.get("cursor") ?? "start";
      requests.push(cursor);
      const page = pages[cursor] ?? new Response("", { status: 404 });
      if (page instanceof Response) return Promise.resolve(page.clone());
      const [heights, next] = page;
      const data = heights.map((height) => ({ hash: `h${height}`, height, time: 0 }));
      return Promise.resolve(
        Response.json({
          data: data.map((block) => ({ ...block, transaction_count: 0 })),
          cursor: next,
        }),
      );
    },
  });
  const list: BlockList = (input, given) => {
    received.push([input, given]);
    return blocks.list(input, given);
  };
  const backlog = createBacklog(list, options, hasExpired);
  return {
    pages,
    received,
    async read(from: number): Promise<number[]> {
      return (await backlog.read(from)).map(({ height }) => height);
    },
    /** Returns the requests since the last call. */
    requests: () => requests.splice(0),
  };
}

const threePages = (): Record<string, Page | Response> => ({
  start: [[9, 8, 7], "a"],
  a: [[6, 5, 4], "b"],
  b: [[3, 2, 1]],
});

test("descends once to the page with the height, then ascends by the cursors that it passed", async () => {
  const list = open(threePages());
  expect(await list.read(1)).toEqual([1, 2, 3]);
  expect(list.requests()).toEqual(["start", "a", "b"]);
  expect(await list.read(4)).toEqual([4, 5, 6]);
  expect(list.requests()).toEqual(["a"]);
  expect(await list.read(7)).toEqual([7, 8, 9]);
  expect(list.requests()).toEqual(["start"]);
  // Nothing is left above, so it reads from the top again.
  expect(await list.read(10)).toEqual([]);
  expect(list.requests()).toEqual(["start"]);
});

test("a page that has become empty is skipped on the way up", async () => {
  const list = open({ ...threePages(), start: [[12, 11, 10], "t"], t: [[9, 8, 7], "a"] });
  await list.read(1);
  list.requests();
  list.pages["a"] = [[], "b"];
  list.pages["t"] = [[6, 5, 4], "a"];
  expect(await list.read(4)).toEqual([4, 5, 6]);
  expect(list.requests()).toEqual(["a", "t"]);
  list.pages["start"] = [[9, 8, 7], "t"];
  expect(await list.read(7)).toEqual([7, 8, 9]);
  expect(list.requests()).toEqual(["start"]);
});

test("after new blocks have shifted the pages, it descends again and forgets the old cursors", async () => {
  const list = open({ ...threePages(), start: [[12, 11, 10], "t"], t: [[9, 8, 7], "a"] });
  expect(await list.read(1)).toEqual([1, 2, 3]);
  list.requests();
  Object.assign(list.pages, { a: [[9, 8, 7], "a2"], a2: [[6, 5, 4], "b"], t: [[10], "a"] });
  list.pages["start"] = [[12, 11], "t"];
  expect(await list.read(4)).toEqual([4, 5, 6]);
  expect(list.requests()).toEqual(["a", "start", "t", "a", "a2"]);
  expect(await list.read(7)).toEqual([7, 8, 9]);
  expect(list.requests()).toEqual(["a"]);
});

test.each([
  ["whatever it says", "{}"],
  ["that says that the cursor has expired", '{"error":"Cursor Expired"}'],
])("a 400 for a cursor, %s, means no blocks and a new descent", async (_, body) => {
  const rejection = new Response(body, { status: 400 });
  const list = open(threePages());
  await list.read(1);
  list.requests();
  list.pages["a"] = rejection;
  // On the way up.
  expect(await list.read(4)).toEqual([]);
  expect(list.requests()).toEqual(["a"]);
  // On the way down.
  expect(await list.read(4)).toEqual([]);
  expect(list.requests()).toEqual(["start", "a"]);
  list.pages["a"] = [[6, 5, 4], "b"];
  expect(await list.read(4)).toEqual([4, 5, 6]);
  expect(list.requests()).toEqual(["start", "a"]);
});

test("a 400 for the first page is thrown, also after a page with a cursor", async () => {
  const list = open(threePages());
  await list.read(1);
  list.pages["a"] = [[9, 8, 7], "b"];
  list.pages["start"] = new Response("", { status: 400 });
  list.requests();
  await expect(list.read(4)).rejects.toMatchObject({ status: 400 });
  expect(list.requests()).toEqual(["a", "start"]);
  await expect(open({ start: new Response("", { status: 400 }) }).read(1)).rejects.toMatchObject({
    status: 400,
  });
});

test.each([401, 404, 503])(
  "a %d for a cursor is thrown, and the page is read again",
  async (status) => {
    const list = open(threePages());
    await list.read(1);
    list.requests();
    list.pages["a"] = new Response("", { status });
    await expect(list.read(4)).rejects.toMatchObject({ status });
    list.pages["a"] = [[6, 5, 4], "b"];
    expect(await list.read(4)).toEqual([4, 5, 6]);
    expect(list.requests()).toEqual(["a", "a"]);
  },
);

test.each<[string, number[], number, number[]]>([
  ["in ascending order", [1, 2, 3], 1, [1, 2, 3]],
  ["in no order", [2, 3, 1], 1, [1, 2, 3]],
  ["with a gap", [5, 4, 2, 1], 1, [1, 2]],
  ["with a block twice", [3, 2, 2, 1], 1, [1, 2, 3]],
  ["without the height itself", [5, 4, 1], 3, []],
  ["that ends above the height", [5, 4], 3, []],
  ["without blocks", [], 3, []],
])("a list %s returns the blocks up to the first gap", async (_, heights, from, blocks) => {
  const list = open({ start: [heights] });
  expect(await list.read(from)).toEqual(blocks);
  expect(list.requests()).toEqual(["start"]);
});
