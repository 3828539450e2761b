import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  ConnectionError,
  CursorExpiredError,
  InputError,
  isApiError,
  type FetchFunction,
  type PagerOptions,
} from "../src/internal.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { createThings, errorOf } from "./things.ts";

test("a walk that ends before it starts sends nothing", async () => {
  const list = startList({ length: 9 });
  const walk = list.things.walk().walk();
  expect(await walk.return()).toEqual({ done: true, value: undefined });
  expect(await walk.next()).toEqual({ done: true, value: undefined });
  expect(list.queries).toEqual([]);
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
