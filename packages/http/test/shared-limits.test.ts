import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { postgresRateLimit } from "../src/shared-rate-limit.ts";

// The queries of a shared limit, with fake timers.

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-23T08:00:00Z") }));
afterEach(() => void vi.useRealTimers());

/** Creates a database table that keeps the points of each key until it expires. */
function startTable() {
  const rows = new Map<unknown, { points: number; expire: number }>();
  const texts: string[] = [];
  const query = vi.fn(async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
    texts.push(text);
    const [key, points, expire, now] = values as [string, number, number, number];
    const row = rows.get(key);
    if (text.includes("SELECT") && !text.includes("INSERT"))
      return { rows: row === undefined ? [] : [row], rowCount: row === undefined ? 0 : 1 };
    if (!text.includes("INSERT")) return { rows: [] };
    const isOver = row === undefined || row.expire <= now;
    const isForced = !text.includes("CASE");
    const next =
      isOver || isForced ? { points, expire } : { points: row.points + points, expire: row.expire };
    rows.set(key, next);
    return { rows: [next] };
  });
  return { query, texts, rows };
}

test("each limit has its own count, and a window that is a second longer than configured", async () => {
  const table = startTable();
  const store = postgresRateLimit(table);
  const few = { key: "few", limit: 1, window: 1_000 };
  const many = { key: "many", limit: 3, window: 90_001 };
  const taken = async (counter: typeof few, times: number): Promise<number[]> => {
    const waits: number[] = [];
    for (let time = 0; time < times; time++) waits.push(await store.take(counter));
    return waits;
  };
  expect(await taken(few, 2)).toEqual([0, 2_000]);
  expect(await taken(many, 4)).toEqual([0, 0, 0, 92_000]);
  expect(await taken({ ...few, window: 5_000, key: "other" }, 2)).toEqual([0, 6_000]);
  vi.advanceTimersByTime(1_999);
  expect(await taken(few, 1)).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(await taken(few, 2)).toEqual([0, 2_000]);
});

test("a block lasts for the given time, in whole seconds", async () => {
  const table = startTable();
  const store = postgresRateLimit(table);
  const counter = { key: "a", limit: 5, window: 1_000 };
  await store.block(counter, 10_001);
  expect(await store.take(counter)).toBe(11_000);
  vi.advanceTimersByTime(11_000);
  expect(await store.take(counter)).toBe(0);
});

test("a wait is at least a millisecond, so that no process polls in a busy loop", async () => {
  const table = startTable();
  const store = postgresRateLimit(table);
  const counter = { key: "a", limit: 1, window: 1_000 };
  await store.take(counter);
  table.query.mockImplementation(async () => ({ rows: [{ points: 2, expire: Date.now() }] }));
  expect(await store.take(counter)).toBe(1);
});

test.each([
  [undefined, "fieldmesh_rate_limit"],
  ["mine", "mine"],
])("a store with the name %s creates its table once, with the name %s", async (name, table) => {
  const { query, texts } = startTable();
  const store = postgresRateLimit({ query }, { name });
  const counter = { key: "a", limit: 5, window: 1_000 };
  await Promise.all([
    store.take(counter),
    store.take(counter),
    store.take({ ...counter, key: "b" }),
  ]);
  const created = texts.filter((text) => text.includes("CREATE TABLE"));
  expect(created).toEqual([expect.stringContaining(table)]);
});

test.each([null, 5, "", { toString: () => "a" }])(
  "postgresRateLimit rejects the name %j",
  (name) => {
    expect(() => postgresRateLimit(startTable(), { name: name as string })).toThrow(
      "name of postgresRateLimit must be a non-empty string.",
    );
  },
);
