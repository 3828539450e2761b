import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { InputError } from "../src/index.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { errorOf } from "./things.ts";

test("prefetches only the next page while the caller processes items", async () => {
  const list = startList({ length: 12 });
  const walk = list.things.walk().walk();
  expect(list.queries).toHaveLength(0);
  await walk.next();
  await turn();
  expect(list.queries).toEqual(["", "?cursor=c3"]);
  await walk.next();
  await walk.next();
  await turn();
  expect(list.queries).toHaveLength(2);
  await walk.next();
  await turn();
  expect(list.queries).toHaveLength(3);
});

test("without prefetch, a page is requested when it is needed", async () => {
  const list = startList({ length: 12 });
  const walk = list.things.walk({}, { prefetch: 0 }).walk();
  for (let count = 0; count < 3; count++) await walk.next();
  await turn();
  expect(list.queries).toHaveLength(1);
});

test("two walks of one list are independent", async () => {
  const list = startList({ length: 5, size: 2 });
  const pager = list.things.walk();
  const [a, b] = [pager.walk(), pager.walk()];
  expect((await a.next()).value?.id).toBe(0);
  expect((await a.next()).value?.id).toBe(1);
  expect((await b.next()).value?.id).toBe(0);
  expect(await idsOf(a)).toEqual([2, 3, 4]);
  expect(await idsOf(b)).toEqual([1, 2, 3, 4]);
});

test.for([
  ["take", (list: ReturnType<typeof startList>) => idsOf(list.things.walk().take(4))],
  [
    "maxItems",
    (list: ReturnType<typeof startList>) => idsOf(list.things.walk({}, { maxItems: 4 })),
  ],
  [
    "toArray",
    async (list: ReturnType<typeof startList>) =>
      (await list.things.walk().toArray({ limit: 4 })).map(({ id }) => id),
  ],
] as const)("%s ends after its number of items and requests no further page", async ([, run]) => {
  const list = startList({ length: 12 });
  expect(await run(list)).toEqual([0, 1, 2, 3]);
  await turn();
  expect(list.queries).toHaveLength(2);
});

test("the smaller of two limits applies, and a limit of 0 requests nothing", async () => {
  const list = startList({ length: 12 });
  expect(await idsOf(list.things.walk().take(2).take(5))).toEqual([0, 1]);
  list.queries.length = 0;
  expect(await idsOf(list.things.walk().take(0))).toEqual([]);
  expect(list.queries).toEqual([]);
});

test("toArray requires a limit", async () => {
  const list = startList({ length: 4 });
  expect(await errorOf(list.things.walk().toArray({} as never))).toBeInstanceOf(InputError);
  const left = await errorOf(list.things.walk().toArray(undefined as never));
  expect(left.message).toContain("options.limit: must be");
  expect(await list.things.walk().toArray({ limit: Infinity })).toHaveLength(4);
});

test("maxPages ends the walk after its number of pages", async () => {
  const list = startList({ length: 12 });
  expect(await idsOf(list.things.walk({}, { maxPages: 2 }))).toEqual(upTo(6));
  await turn();
  expect(list.queries).toHaveLength(2);
});

test("pages() returns whole pages with their cursors, and the last page without one", async () => {
  const list = startList({ length: 5 });
  const pages = [];
  for await (const page of list.things.walk().pages()) pages.push(page);
  expect(pages.map(({ items, cursor }) => [items.map(({ id }) => id), cursor])).toEqual([
    [[0, 1, 2], "c3"],
    [[3, 4], undefined],
  ]);
});

test("every page sends the parameters of the caller", async () => {
  const list = startList({ length: 5 });
  await idsOf(list.things.walk({ kind: "x" }, { query: { state: "old & new" } }));
  const first = "?kind=x&state=old%20%26%20new";
  expect(list.queries).toEqual([first, `${first}&cursor=c3`]);
});

test("a web stream requests pages when it is read, and cancels the request in progress", async () => {
  const list = startList({ length: 12 });
  const reader = list.things.walk().stream().getReader();
  await turn();
  expect(list.queries).toEqual([]);
  expect((await reader.read()).value?.id).toBe(0);
  list.hold();
  await reader.cancel();
  await turn();
  expect(list.open).toBe(0);
  const whole = startList({ length: 7 });
  const ids = [];
  for await (const { id } of whole.things.walk().stream()) ids.push(id);
  expect(ids).toEqual(upTo(7));
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
