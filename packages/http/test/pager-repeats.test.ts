import { expect, test } from "vitest";
import type { Checkpoint, Drift, PagerOptions } from "../src/internal.ts";
import { createThings, type Things } from "./things.ts";

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
