import type { PartsByTime } from "@fieldmesh/http/internal";
import { describe, expect, test } from "vitest";
import { createLedgerClient } from "../client.ts";
import { readTime } from "../time.ts";
import { readPlan, type SplitList } from "./plan.ts";

const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
const [min, max] = ["2026-11-01T00:00:00Z", "2026-11-20T00:00:00Z"];
const context = { call: "list", route: "GET /list" };

/** Returns the plan of a list that names its times in a way, and has these in its query. */
function planOf(names: Pick<PartsByTime, "min" | "max">, query: Record<string, string>) {
  const list = {
    context,
    key: undefined,
    signal: undefined,
    start: undefined,
    identify: () => ({ call: "list", server: "s", path: "p", query }),
    settings: { checkpoint: undefined, maxPages: Infinity, maxItems: 7, anchorSize: 4 },
  } as Partial<SplitList<object>> as SplitList<object>;
  return readPlan(list, { ...names, field: "time", readTime }, {});
}

describe("the names of the times", () => {
  test.each<[Pick<PartsByTime, "min" | "max">]>([
    [{}],
    [{ min: "min_time" }],
    [{ max: "max_time" }],
  ])("must both be known: %j", (names) => {
    expect(() => planOf(names, { min_time: min, max_time: max })).toThrow(
      'options.by: must name the parameters of the first and the last time, such as { min: "min_time", max: "max_time" }: the spec does not name them',
    );
  });

  test("are those of the list by default", () => {
    const plan = planOf({ min: "a", max: "b" }, { a: min, b: max, c: "5" });
    expect(plan).toMatchObject({
      context,
      identity: { query: { a: min, b: max, c: "5" } },
      range: { min, max, from: Date.parse(min), to: Date.parse(max) },
      lanes: 4,
      order: "arrival",
      given: 0,
      maxItems: 7,
      list: { anchorSize: 4 },
    });
    const until = new Date(min).toISOString();
    expect(plan.parts).toEqual([{ max, until, place: null, first: null, stop: null }]);
    expect(plan.lostAfter(3)).toMatchObject({ name: "PlaceLostError" });
    expect(plan.lostAfter(3).message).toContain(
      "did not find the item at which the next part begins: the list has changed, or its newest item is not the first.",
    );
  });
});

describe("the times of a range", () => {
  const rangeOf = (query: Record<string, string>) =>
    planOf({ min: "min", max: "max" }, query).range;
  const RULE =
    "must be a Date, ISO 8601, or a relative time such as `-3 day` (hour, day or week), so that `parallel` can split it";

  test("a relative first time counts back from the last one, and both are sent as ISO 8601", () => {
    const to = Date.parse(max);
    expect(rangeOf({ min: "-2 day", max })).toEqual({
      min: "2026-11-18T00:00:00.000Z",
      max,
      from: to - 2 * 86_400_000,
      to,
    });
    const before = Date.now();
    const range = rangeOf({ min, max: "-1 hour" });
    expect(range.to).toBeGreaterThanOrEqual(before - 3_600_000);
    expect(range.to).toBeLessThanOrEqual(Date.now() - 3_600_000);
    expect(range).toMatchObject({ min, max: new Date(range.to).toISOString() });
    const now = rangeOf({ min, max: "now" });
    expect(now.max).toBe(new Date(now.to).toISOString());
  });

  test("may be the first and the last moment of a Date, and not beyond", () => {
    const epoch = "1970-01-01T00:00:00Z";
    // 100,000,000 days.
    expect(rangeOf({ min: "-100000000 day", max: epoch }).from).toBe(-8.64e15);
    expect(() => rangeOf({ min: "-100000001 day", max: epoch })).toThrow(`min: ${RULE}`);
  });

  test.each([
    [{ min: "yesterday", max }, `min: ${RULE}`],
    [{ min, max: "-3 month" }, `max: ${RULE}`],
    [{ max }, "min: is required by `parallel`, which splits the time that follows"],
  ])("%j is rejected by name", (query, message) => {
    expect(() => rangeOf(query as Record<string, string>)).toThrow(message);
  });
});

test("an item that is no record is returned, in one lane", async () => {
  let requests = 0;
  const { accounts } = createLedgerClient({
    baseUrl: "https://ledger.test",
    fetch: () => {
      requests++;
      return Promise.resolve(Response.json({ data: [null, { hash: "h" }, 5] }));
    },
  });
  const list = accounts.rewards({ address, min_time: min, max_time: max });
  const found: unknown[] = [];
  for await (const item of list.parallel()) found.push(item);
  expect(found).toEqual([null, { hash: "h" }, 5]);
  expect(requests).toBe(1);
});

test("a time of another type counts as none, so that the list is read in one lane", async () => {
  const sent: string[] = [];
  const { accounts } = createLedgerClient({
    baseUrl: "https://ledger.test",
    fetch: (url) => {
      const query = new URL(url).searchParams;
      sent.push(String(query.get("max_time")));
      const from = Number(query.get("cursor") ?? 1);
      const rows = [0, 1].map((each) => ({ hash: `h${from + each}`, timestamp: [min] }));
      return Promise.resolve(
        Response.json({ data: rows, ...(from < 9 && { cursor: String(from + 2) }) }),
      );
    },
  });
  const list = accounts.rewards({ address, min_time: min, max_time: max });
  const found: unknown[] = [];
  for await (const { hash } of list.parallel({ lanes: 8 })) found.push(hash);
  expect(found).toHaveLength(10);
  expect(new Set(sent)).toEqual(new Set([max]));
});

test("options that cannot be read cause an error that names the method", () => {
  const { accounts } = createLedgerClient({ baseUrl: "https://ledger.test" });
  const list = accounts.rewards({ address, min_time: min, max_time: max });
  const options = {
    get lanes(): number {
      throw new Error("own");
    },
  };
  expect(() => list.parallel(options)).toThrow("The options of accounts.rewards.parallel");
});

test("a walk resumes after any number of items, and returns each of the others once", async () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    hash: `h${index}`,
    timestamp: new Date(Date.parse(min) + (40 - index) * 60_000).toISOString(),
  }));
  const { accounts } = createLedgerClient({
    baseUrl: "https://ledger.test",
    rateLimit: false,
    fetch: (url) => {
      const query = new URL(url).searchParams;
      const last = Date.parse(String(query.get("max_time")));
      const all = rows.filter(({ timestamp }) => Date.parse(timestamp) <= last);
      const from = Number(query.get("cursor") ?? 0);
      const next = from + 3 < all.length && { cursor: String(from + 3) };
      return Promise.resolve(Response.json({ data: all.slice(from, from + 3), ...next }));
    },
  });
  const list = accounts.rewards({ address, min_time: min, max_time: max });
  for (let count = 0; count < 40; count++) {
    const found: unknown[] = [];
    const run = list.parallel({ lanes: 3 });
    for (let each = 0; each < count; each++) found.push((await run.next()).value?.hash);
    const checkpoint = run.checkpoint();
    await run.return();
    for await (const { hash } of list.parallel({ lanes: 2, checkpoint })) found.push(hash);
    expect(new Set(found)).toEqual(new Set(rows.map(({ hash }) => hash)));
    expect(found).toHaveLength(40);
  }
});
