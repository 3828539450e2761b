import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isInputError,
  isPlaceLostError,
  type Checkpoint,
  type PagerOptions,
} from "../src/index.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { createThings, errorOf } from "./things.ts";

const asJson = (checkpoint: Checkpoint): Checkpoint =>
  JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;

/** Walks a number of items, then stops and gives the checkpoint as another process would read it. */
async function walkSome(
  list: ReturnType<typeof startList>,
  count: number,
  options: PagerOptions = {},
): Promise<{ ids: number[]; checkpoint: Checkpoint }> {
  const walk = list.things.walk({}, options).walk();
  const ids: number[] = [];
  while (ids.length < count) {
    const { done, value } = await walk.next();
    if (done === true) break;
    ids.push(value.id);
  }
  const checkpoint = asJson(walk.checkpoint());
  await walk.return();
  return { ids, checkpoint };
}

test("a walk that is repeatedly stopped anywhere returns every item exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(15), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0 as const, 1 as const),
      async (length, size, stops, prefetch) => {
        const list = startList({ length, size });
        const ids: number[] = [];
        let checkpoint: Checkpoint | undefined;
        for (const stop of stops) {
          const part = await walkSome(list, stop, { checkpoint, prefetch });
          ids.push(...part.ids);
          ({ checkpoint } = part);
        }
        ids.push(...(await idsOf(list.things.walk({}, { checkpoint }))));
        expect(ids).toEqual(upTo(length));
      },
    ),
    { numRuns: 150 },
  );
});

test("whatever fails and expires, a walk that restarts loses nothing and returns nothing twice", async () => {
  const failure = fc.constantFrom(undefined, undefined, undefined, 500, "expired" as const);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(failure, { maxLength: 25 }),
      fc.integer({ min: 1, max: 12 }),
      async (length, size, failures, anchorSize) => {
        const list = startList({ length, size });
        // An expired first page is a 400 without a cursor, which is an ordinary error.
        list.failures.push(...failures);
        const walk = list.things.walk({}, { onCursorExpired: "restart", anchorSize }).walk();
        const ids: number[] = [];
        for (let calls = 0; calls < 1_000; calls++) {
          const result = await walk.next().catch(() => undefined);
          if (result?.done === true) break;
          if (result !== undefined) ids.push(result.value.id);
        }
        expect(ids).toEqual(upTo(length));
      },
    ),
    { numRuns: 200 },
  );
});

test("a list that grew at its front and its end is gone on with at the same place", async () => {
  const list = startList({ length: 20 });
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  const ids: number[] = [];
  for (let count = 0; count < 9; count++) ids.push((await walk.next()).value!.id);
  list.ids = [101, 100, ...list.ids, 20, 21];
  list.failures.push("expired");
  ids.push(...(await idsOf(walk)));
  expect(ids).toEqual(upTo(22));
});

test("a checkpoint in a first page that has grown is found by its anchor", async () => {
  const list = startList({ length: 8, size: 4 });
  const { ids, checkpoint } = await walkSome(list, 3);
  list.ids = [100, 101, 102, 103, 104, ...list.ids];
  expect([...ids, ...(await idsOf(list.things.walk({}, { checkpoint })))]).toEqual(upTo(8));
});

test("items that look alike do not mislead: the count says which of them is meant", async () => {
  const list = startList({ length: 12 });
  list.ids = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3];
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  for (let count = 0; count < 6; count++) await walk.next();
  list.failures.push("expired");
  expect(await idsOf(walk)).toEqual([1, 1, 1, 1, 2, 3]);
});

test("an anchor that is gone is an error, and stays one", async () => {
  const list = startList({ length: 12 });
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  for (let count = 0; count < 6; count++) await walk.next();
  list.ids = list.ids.filter((id) => id !== 5);
  list.failures.push("expired");
  const error = await errorOf(walk.next());
  expect(isPlaceLostError(error)).toBe(true);
  expect(error).toMatchObject({ items: 6 });
  expect(isPlaceLostError(await errorOf(walk.next()))).toBe(true);
});

test("a list whose cursors never live long enough is given up, and not begun forever", async () => {
  const list = startList({ length: 12 });
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  for (let count = 0; count < 3; count++) await walk.next();
  const expiring = Array.from({ length: 20 }, () => [undefined, "expired" as const]).flat();
  list.failures.push("expired", ...expiring);
  expect((await errorOf(walk.next())).name).toBe("CursorExpiredError");
  expect(list.queries.length).toBeLessThan(12);
});

test("a checkpoint is small, and says nothing of the records", async () => {
  const list = startList({ length: 3_000, size: 1_000 });
  const { checkpoint } = await walkSome(list, 1_500);
  const text = JSON.stringify(checkpoint);
  expect(text.length).toBeLessThan(400);
  expect(text).not.toContain("thing ");
  expect(checkpoint).toMatchObject({ items: 1_500, offset: 500, cursor: "c1000" });
});

test("a checkpoint keeps the first query: filters are left out or the same, and every page repeats them", async () => {
  const list = startList({ length: 9 });
  const query = { state: "old" };
  const walk = list.things.walk({ kind: "x" }, { query, prefetch: 0 }).walk();
  for (let count = 0; count < 4; count++) await walk.next();
  const checkpoint = asJson(walk.checkpoint());
  expect(checkpoint.query).toEqual({ kind: "x", state: "old" });
  for (const [input, options] of [
    [{}, {}],
    [{ kind: "x" }, { query }],
    [{ kind: undefined }, {}],
  ] as const) {
    list.queries.length = 0;
    const resumed = list.things.walk(input, { checkpoint, ...options }).walk();
    expect(await idsOf(resumed)).toEqual(upTo(9, 4));
    expect(list.queries).toEqual(["?kind=x&state=old&cursor=c3", "?kind=x&state=old&cursor=c6"]);
    expect(resumed.checkpoint().query).toEqual(checkpoint.query);
  }
  const other = await errorOf(list.things.walk({ kind: "y" }, { checkpoint }).walk().next());
  expect(other.message).toContain("omit kind");
  const both = await errorOf(
    list.things
      .walk({ kind: "y" }, { checkpoint, query: { state: "new" } })
      .walk()
      .next(),
  );
  expect(both.message).toContain("omit kind and state");
  expect(both).toMatchObject({ problems: [{ path: "options.checkpoint" }] });
});

test("refuses a checkpoint of another query, another method and another server", async () => {
  const list = startList({ length: 9 });
  const { checkpoint } = await walkSome(list, 2);
  const refusal = async (input: object, changed: object): Promise<string> => {
    const error = await errorOf(
      list.things
        .walk(input, { checkpoint: { ...checkpoint, ...changed } })
        .walk()
        .next(),
    );
    expect(isInputError(error)).toBe(true);
    return error.message;
  };
  expect(await refusal({ kind: "x" }, {})).toContain("belongs to another query");
  expect(await refusal({}, { path: "elsewhere" })).toContain("belongs to another list");
  expect(await refusal({ cursor: "c3" }, {})).toContain("belongs to another list");
  expect(await refusal({}, { call: "labels.list" })).toContain("belongs to labels.list");
  for (const call of ["labels list", "labels.list <b>", "<b>labels.list", ""])
    expect(await refusal({}, { call })).toContain("belongs to another call");
  expect(await refusal({}, { version: 2 })).toContain("is not a checkpoint");
  expect(await refusal({}, { anchor: [] })).toContain("is not a checkpoint");
  expect(await refusal({}, { anchor: [], offset: 0 })).toContain("is not a checkpoint");
  const elsewhere = createThings({ baseUrl: "https://other.test" });
  const error = await errorOf(elsewhere.walk({}, { checkpoint }).walk().next());
  expect(error.message).toContain("belongs to another server");
});

test("a checkpoint before the first item is the start, and one of a resumed walk is its own", async () => {
  const list = startList({ length: 5 });
  const fresh = list.things.walk().walk().checkpoint();
  expect(await idsOf(list.things.walk({}, { checkpoint: asJson(fresh) }))).toEqual(upTo(5));
  const { checkpoint } = await walkSome(list, 4);
  expect(list.things.walk({}, { checkpoint }).walk().checkpoint()).toEqual(checkpoint);
});

test("pages have checkpoints too: behind the page that was given", async () => {
  const list = startList({ length: 8 });
  const pages = list.things.walk().pages();
  await pages.next();
  await pages.next();
  const checkpoint = asJson(pages.checkpoint());
  await pages.return();
  expect(await idsOf(list.things.walk({}, { checkpoint }))).toEqual([6, 7]);
});

test("a damaged checkpoint that has given rows of a page and no item is rejected before anything is sent", async () => {
  const list = startList({ length: 12, size: 4 });
  const { checkpoint } = await walkSome(list, 0);
  expect(checkpoint).toMatchObject({ items: 0, offset: 0, anchor: [] });
  const before = list.queries.length;
  const error = await errorOf(
    idsOf(list.things.walk({}, { checkpoint: { ...checkpoint, offset: 1 } })),
  );
  expect(isInputError(error) && error.message).toContain(
    "is not a checkpoint that this version wrote",
  );
  expect(list.queries).toHaveLength(before);
  expect(await idsOf(list.things.walk({}, { checkpoint }))).toEqual(upTo(12));
});
