import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { idsOf, startList, upTo } from "./list-server.ts";

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
