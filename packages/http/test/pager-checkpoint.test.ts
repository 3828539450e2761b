import { withChecksum } from "@fieldmesh/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError, PlaceLostError, type Checkpoint, type PagerOptions } from "../src/index.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { createThings, errorOf } from "./things.ts";

const asJson = (checkpoint: Checkpoint): Checkpoint =>
  JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;

/** A checkpoint with other fields, and with the checksum of these. */
function changedTo(checkpoint: Checkpoint, changed: object): Checkpoint {
  const { checksum: _old, ...fields } = { ...checkpoint, ...changed };
  return withChecksum(fields);
}

/** Walks a number of items, then stops and returns the checkpoint as another process would read it. */
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

test("a walk that stops and resumes at any items returns every item exactly once", async () => {
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

test("a walk with onCursorExpired: restart loses and repeats no item, despite failures and expired cursors", async () => {
  const failure = fc.constantFrom(undefined, undefined, undefined, 500, "expired" as const);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(failure, { maxLength: 25 }),
      fc.integer({ min: 1, max: 12 }),
      async (length, size, failures, anchorSize) => {
        const list = startList({ length, size });
        // A 400 for the first page, which has no cursor, is an ordinary error.
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

test("a walk resumes at the same item of a list that grew at both ends", async () => {
  const list = startList({ length: 20 });
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  const ids: number[] = [];
  for (let count = 0; count < 9; count++) ids.push((await walk.next()).value!.id);
  list.ids = [101, 100, ...list.ids, 20, 21];
  list.failures.push("expired");
  ids.push(...(await idsOf(walk)));
  expect(ids).toEqual(upTo(22));
});

test("a walk finds the place of a checkpoint by its anchor if the first page has grown", async () => {
  const list = startList({ length: 8, size: 4 });
  const { ids, checkpoint } = await walkSome(list, 3);
  list.ids = [100, 101, 102, 103, 104, ...list.ids];
  expect([...ids, ...(await idsOf(list.things.walk({}, { checkpoint })))]).toEqual(upTo(8));
});

test("a walk finds its place among identical items by their count", async () => {
  const list = startList({ length: 12 });
  list.ids = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3];
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  for (let count = 0; count < 6; count++) await walk.next();
  list.failures.push("expired");
  expect(await idsOf(walk)).toEqual([1, 1, 1, 1, 2, 3]);
});

test("a walk whose anchor is gone rejects with a PlaceLostError each time", async () => {
  const list = startList({ length: 12 });
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  for (let count = 0; count < 6; count++) await walk.next();
  list.ids = list.ids.filter((id) => id !== 5);
  list.failures.push("expired");
  const error = await errorOf(walk.next());
  expect(error).toBeInstanceOf(PlaceLostError);
  expect(error).toMatchObject({ items: 6 });
  expect(await errorOf(walk.next())).toBeInstanceOf(PlaceLostError);
});

test("a walk whose cursors always expire rejects instead of restarting forever", async () => {
  const list = startList({ length: 12 });
  const walk = list.things.walk({}, { onCursorExpired: "restart", prefetch: 0 }).walk();
  for (let count = 0; count < 3; count++) await walk.next();
  const expiring = Array.from({ length: 20 }, () => [undefined, "expired" as const]).flat();
  list.failures.push("expired", ...expiring);
  expect((await errorOf(walk.next())).name).toBe("CursorExpiredError");
  expect(list.queries.length).toBeLessThan(12);
});

test("a checkpoint is small and contains nothing of the records", async () => {
  const list = startList({ length: 3_000, size: 1_000 });
  const { checkpoint } = await walkSome(list, 1_500);
  const text = JSON.stringify(checkpoint);
  expect(text.length).toBeLessThan(400);
  expect(text).not.toContain("thing ");
  expect(checkpoint).toMatchObject({ items: 1_500, offset: 500, cursor: "c1000" });
});

test("a checkpoint keeps the first query, which the caller may omit or repeat, and every page sends it", async () => {
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

test("a walk rejects a checkpoint of another query, method or server", async () => {
  const list = startList({ length: 9 });
  const { checkpoint } = await walkSome(list, 2);
  const messageOf = async (input: object, changed: object): Promise<string> => {
    const error = await errorOf(
      list.things
        .walk(input, { checkpoint: changedTo(checkpoint, changed) })
        .walk()
        .next(),
    );
    expect(error).toBeInstanceOf(InputError);
    return error.message;
  };
  expect(await messageOf({ kind: "x" }, {})).toContain("belongs to another query");
  expect(await messageOf({}, { path: "elsewhere" })).toContain("belongs to another list");
  expect(await messageOf({ cursor: "c3" }, {})).toContain("belongs to another list");
  expect(await messageOf({}, { call: "labels.list" })).toContain("belongs to labels.list");
  for (const call of ["labels list", "labels.list <b>", "<b>labels.list", ""])
    expect(await messageOf({}, { call })).toContain("belongs to another call");
  expect(await messageOf({}, { version: 2 })).toContain("is not a checkpoint");
  expect(await messageOf({}, { anchor: [] })).toContain("is not a checkpoint");
  expect(await messageOf({}, { anchor: [], offset: 0 })).toContain("is not a checkpoint");
  const elsewhere = createThings({ baseUrl: "https://other.test" });
  const error = await errorOf(elsewhere.walk({}, { checkpoint }).walk().next());
  expect(error.message).toContain("belongs to another server");
});

test("a checkpoint before the first item resumes at the start, and a resumed walk has its checkpoint", async () => {
  const list = startList({ length: 5 });
  const fresh = list.things.walk().walk().checkpoint();
  expect(await idsOf(list.things.walk({}, { checkpoint: asJson(fresh) }))).toEqual(upTo(5));
  const { checkpoint } = await walkSome(list, 4);
  expect(list.things.walk({}, { checkpoint }).walk().checkpoint()).toEqual(checkpoint);
});

test("pages() has a checkpoint after the last returned page", async () => {
  const list = startList({ length: 8 });
  const pages = list.things.walk().pages();
  await pages.next();
  await pages.next();
  const checkpoint = asJson(pages.checkpoint());
  await pages.return();
  expect(await idsOf(list.things.walk({}, { checkpoint }))).toEqual([6, 7]);
});

test("a checkpoint with an offset but without items is rejected before anything is sent", async () => {
  const list = startList({ length: 12, size: 4 });
  const { checkpoint } = await walkSome(list, 0);
  expect(checkpoint).toMatchObject({ items: 0, offset: 0, anchor: [] });
  const before = list.queries.length;
  const error = await errorOf(
    idsOf(list.things.walk({}, { checkpoint: changedTo(checkpoint, { offset: 1 }) })),
  );
  expect(error instanceof InputError && error.message).toContain(
    "is not a checkpoint that this version wrote",
  );
  expect(list.queries).toHaveLength(before);
  expect(await idsOf(list.things.walk({}, { checkpoint }))).toEqual(upTo(12));
});

test("a checkpoint with a change, or without its checksum, is rejected before anything is sent", async () => {
  const list = startList({ length: 12 });
  const { checkpoint } = await walkSome(list, 4);
  const before = list.queries.length;
  const rejectedWith = async (changed: object): Promise<string> => {
    const other = { ...checkpoint, ...changed };
    return (await errorOf(list.things.walk({}, { checkpoint: other }).walk().next())).message;
  };
  const changes: object[] = [
    { cursor: "c6" },
    { offset: 2 },
    { items: 5 },
    { anchor: ["other"] },
    { query: { kind: "x" } },
    { checksum: "other" },
  ];
  for (const change of changes)
    expect(await rejectedWith(change)).toContain("was changed or damaged since it was written");
  expect(await rejectedWith({ more: 1 })).toContain("is not a checkpoint that this version wrote");
  expect(await rejectedWith({ checksum: undefined })).toContain(
    "has no checksum, so an older version wrote it: start without it",
  );
  expect(list.queries).toHaveLength(before);
  const sorted = Object.fromEntries(
    Object.entries(checkpoint).toReversed(),
  ) as unknown as Checkpoint;
  expect(await idsOf(list.things.walk({}, { checkpoint: sorted }))).toEqual(upTo(12).slice(4));
});
