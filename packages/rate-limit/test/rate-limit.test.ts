import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { postgresRateLimit, redisRateLimit } from "../src/index.ts";

// The queries of a shared limit, with fake timers.

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-23T08:00:00Z") }));
afterEach(() => void vi.useRealTimers());

/** Creates a database table that keeps the points of each key until it expires. */
function startTable() {
  const rows = new Map<unknown, { points: number; expire: number }>();
  const texts: string[] = [];
  const query = vi.fn(async (text: string) => {
    texts.push(text);
    const [, key = /key = '([^']+)'/.exec(text)?.[1], ...numbers] =
      /VALUES \('([^']+)', \((\d+)\), \((\d+)\)\)[^]*<= \((\d+)\)/.exec(text) ?? [];
    const [points = 0, expire = 0, now = 0] = numbers.map(Number);
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
  const client = {
    query,
    escapeLiteral: (value: string) => `'${value}'`,
    on: () => {},
    removeListener: () => {},
    release: () => {},
  };
  return { query, connect: async () => client, texts };
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
  const { texts, ...pool } = startTable();
  const store = postgresRateLimit(pool, { name });
  const counter = { key: "a", limit: 5, window: 1_000 };
  for (const key of ["a", "a", "b"]) await store.take({ ...counter, key });
  const created = texts.filter((text) => text.includes("CREATE TABLE"));
  expect(created).toEqual([expect.stringContaining(table)]);
});

test.each<[string, unknown, string]>([
  ["the code of an error", Object.assign(new Error("canary"), { code: "E1" }), "(E1)"],
  ["the name of an error without a code", new RangeError("canary"), "(RangeError)"],
])("the failure of a store is printed once, with nothing but %s", (_what, thrown, shown) => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  for (let round = 0; round < 2; round++) postgresRateLimit(startTable()).onError?.(thrown);
  expect(warn.mock.calls).toEqual([
    [
      `fieldmesh: the store of a shared rate limit failed ${shown}. Calls are sent within the limit of this process alone; see onError.`,
    ],
  ]);
  warn.mockRestore();
});

describe("redisRateLimit and postgresRateLimit reject an invalid client:", () => {
  test.each([undefined, "redis://:password@host", {}])("%j", (client) => {
    expect(() => redisRateLimit(client as never)).toThrow(
      /^redisRateLimit requires a client of the package redis or ioredis/,
    );
    expect(() => postgresRateLimit(client as never)).toThrow(/^postgresRateLimit requires a Pool/);
    try {
      redisRateLimit(client as never);
    } catch (error) {
      expect(String(error)).not.toContain("password");
    }
  });
});
