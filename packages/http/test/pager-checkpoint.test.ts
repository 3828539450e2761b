import fc from "fast-check";
import { expect, test } from "vitest";
import { withChecksum } from "@fieldmesh/core/internal";
import {
  CheckpointError,
  PlaceLostError,
  type Checkpoint,
  type PagerOptions,
  type FetchFunction,
  type Drift,
} from "../src/internal.ts";
import { idsOf, startList, upTo } from "./list-server.ts";
import { errorOf, createThings, thing, type Things } from "./things.ts";

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
    { numRuns: 100 },
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
    { numRuns: 100 },
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
  expect(other.message).toContain("Omit kind,");
  const both = await errorOf(
    list.things
      .walk({ kind: "y" }, { checkpoint, query: { state: "new" } })
      .walk()
      .next(),
  );
  expect(both.message).toContain("Omit kind and state,");
});

test("a walk rejects a checkpoint of another cursor or place", async () => {
  const list = startList({ length: 9 });
  const { checkpoint } = await walkSome(list, 2);
  const reasonOf = async (input: object, changed: object): Promise<string | undefined> => {
    const walk = list.things.walk(input, { checkpoint: changedTo(checkpoint, changed) }).walk();
    const error = await errorOf(walk.next());
    return error instanceof CheckpointError ? error.reason : undefined;
  };
  expect(await reasonOf({ cursor: "c3" }, {})).toBe("other_input");
  expect(await reasonOf({}, { anchor: [] })).toBe("invalid");
  expect(await reasonOf({}, { anchor: [], offset: 0 })).toBe("invalid");
});

test("a checkpoint before the first item resumes at the start, and a resumed walk has its checkpoint", async () => {
  const list = startList({ length: 5 });
  const fresh = list.things.walk().walk().checkpoint();
  expect(await idsOf(list.things.walk({}, { checkpoint: asJson(fresh) }))).toEqual(upTo(5));
  const { checkpoint } = await walkSome(list, 4);
  expect(list.things.walk({}, { checkpoint }).walk().checkpoint()).toEqual(checkpoint);
});

test("the place of a walk keeps its name between versions and below a path prefix", async () => {
  const fetch: FetchFunction = async () => Response.json({ data: [thing], cursor: "c2" });
  const placeOf = async (baseUrl: string) => {
    const walk = createThings({ fetch, baseUrl }).walk({}, { prefetch: 0 }).walk();
    await walk.next();
    await walk.return();
    return walk.checkpoint();
  };
  const [root, below] = [
    await placeOf("https://things.test"),
    await placeOf("https://things.test/api/"),
  ];
  expect(below.path).toBe(root.path);
  expect(below.server).not.toBe(root.server);
  expect(root).toMatchObject({ path: "3gtjw58wus", server: "1e0njhvsb3a", version: 1 });
});

interface Row {
  readonly id: number;
  readonly name: string;
}

const row = (id: number, name = `thing ${id}`): Row => ({ id, name });
const rows = (...ids: number[]): Row[] => ids.map((id) => row(id));

/** Serves pages. The cursor is the number of the page. */
function serve(pages: readonly (readonly Row[])[]): { things: Things; drift: Drift[] } {
  const drift: Drift[] = [];
  const things = createThings({
    retry: false,
    onDrift: (each) => drift.push(each),
    async fetch(url) {
      const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
      return Response.json({
        data: pages[at],
        ...(at + 1 < pages.length && { cursor: String(at + 1) }),
      });
    },
  });
  return { things, drift };
}

/** Walks to the end, and resumes from the stored checkpoint after every `stop` rows. */
async function readAll(things: Things, stop: number, options: PagerOptions = {}) {
  const found: Row[] = [];
  const repeated: number[] = [];
  let checkpoint: Checkpoint | undefined;
  for (;;) {
    const walk = things.walk({}, { ...options, checkpoint }).walk();
    for (let count = 0, before = 0; count < stop; count++, before = walk.repeated) {
      const { done, value } = await walk.next();
      if (done === true) return { found, repeated };
      if (walk.repeated > before) repeated.push(found.length);
      found.push(value);
    }
    await walk.return();
    checkpoint = JSON.parse(JSON.stringify(walk.checkpoint())) as Checkpoint;
  }
}

/** The pages, and the indexes of the rows that are repeated. */
const LISTS: Readonly<Record<string, readonly [pages: Row[][], repeated: number[]]>> = {
  "a row": [
    [rows(1, 2, 3), rows(3, 4, 5), rows(5, 6)],
    [3, 6],
  ],
  "several rows": [
    [rows(1, 2, 3, 4), rows(2, 3, 4, 5), rows(6)],
    [4, 5, 6],
  ],
  "ten rows": [
    [rows(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), rows(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)],
    [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
  ],
  "a whole page": [
    [rows(1, 2), rows(1, 2), rows(3)],
    [2, 3],
  ],
  "a row after an empty page": [[rows(1, 2), [], [], rows(2, 3)], [2]],
  "rows of a page before the last one, which are not repeated": [[rows(1), rows(2), rows(1)], []],
  "the longest run": [
    [rows(1, 2, 1, 2), rows(1, 2, 1, 3)],
    [4, 5],
  ],
  "rows that differ in a field": [[rows(1, 2), [row(2, "other"), row(3)]], []],
  "rows in another order": [[rows(1, 2, 3), rows(3, 2, 4)], [3]],
};

test.each(Object.entries(LISTS))(
  "%s at the start of a page: returned and counted, whole or resumed after any row",
  async (_name, [pages, expected]) => {
    const all = pages.flat();
    for (let stop = 1; stop <= all.length + 1; stop++)
      for (const prefetch of [0, 1] as const) {
        const { things, drift } = serve(pages);
        const { found, repeated } = await readAll(things, stop, { prefetch });
        expect({ stop, found, repeated }).toEqual({ stop, found: all, repeated: expected });
        expect(drift.length).toBe(expected.length > 0 ? 1 : 0);
      }
  },
);

test("is reported once for each client, with the call and without a value", async () => {
  const { things, drift } = serve(LISTS["a row"]![0]);
  for (let time = 0; time < 2; time++) await things.walk().toArray({ limit: Infinity });
  const message = "begins with the rows that ended the page before";
  expect(drift).toEqual([
    {
      call: "things.walk",
      route: "GET /v1/things/all",
      problems: [{ path: "data", message, count: 1 }],
    },
  ]);
});

test("pages() returns and counts them too, and not those beyond the limit of a walk", async () => {
  const { things } = serve(LISTS["several rows"]![0]);
  for (const [limit, expected] of [
    [Infinity, [0, 3, 3]],
    [6, [0, 2]],
  ] as const) {
    const pages = things.walk().take(limit).pages();
    const counts: number[] = [];
    for await (const _page of pages) counts.push(pages.repeated);
    expect(counts).toEqual(expected);
  }
});

test("a walk that starts over because its cursor has expired counts those after its place", async () => {
  const pages = LISTS["a row"]![0];
  let failures = 1;
  const things = createThings({
    retry: false,
    validation: "off",
    service: { readError: () => ({ code: "cursor_expired" }) },
    async fetch(url) {
      const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
      if (at === 2 && failures-- > 0) return new Response("", { status: 400 });
      return Response.json({ data: pages[at], ...(at < 2 && { cursor: String(at + 1) }) });
    },
  });
  const { found, repeated } = await readAll(things, 99, { onCursorExpired: "restart" });
  expect([found, repeated]).toEqual([pages.flat(), [3, 6]]);
});
