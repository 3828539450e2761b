import { Redis } from "ioredis";
import pg from "pg";
import { createClient } from "redis";
import { afterAll, describe, expect, test, vi } from "vitest";
import { startPostgres, startRedis } from "../../../tools/servers.ts";
import { startBlackHole, type BlackHole } from "../../../tools/testing/black-hole.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { createTransport } from "../../http/src/internal.ts";
import {
  postgresRateLimit,
  postgresRateLimitTable,
  redisRateLimit,
  type SharedRateLimit,
} from "../src/index.ts";

const [redisServer, postgresServer] = await Promise.all([startRedis(), startPostgres()]);
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  for (const server of [redisServer, postgresServer]) if (server.url) await server.stop();
});

/** Opens a pool that tolerates the end of the server while its connections are open. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  ends.push(() => pool.end());
  return pool;
}

/** Creates a client of a service that always responds, and returns a call of it. */
function createCall(shared: SharedRateLimit) {
  const { request } = createTransport(
    {
      baseUrl: "https://things.test",
      fetch: async () => Response.json([]),
      rateLimit: { requests: 6_000, shared },
    },
    { service: { name: "things", readError: () => ({}) }, userAgent: "test/1" },
  );
  return () => request({ method: "GET", path: "/v1/things" });
}

const counterOf = (key: string) => ({ key, limit: 40, window: 1_000 });

/** Tests every store, with a separate connection for each process. */
function shares(connect: () => Promise<SharedRateLimit>): void {
  test("a 429 in one process delays the others", async () => {
    const key = `blocked-${Math.random()}`;
    const [one, other] = [await connect(), await connect()];
    expect(await one.take(counterOf(key))).toBe(0);
    // The block is long enough for a busy machine.
    await one.block(counterOf(key), 599_001);
    const wait = await other.take(counterOf(key));
    expect(wait).toBeGreaterThan(300_000);
    expect(wait).toBeLessThanOrEqual(600_000);
  });

  test("a late 429 with a shorter hint does not shorten a block, and a longer one extends it", async () => {
    const counter = counterOf(`late-${Math.random()}`);
    const [one, other] = [await connect(), await connect()];
    await one.block(counter, 200_000);
    await other.block(counter, 1_000);
    expect(await other.take(counter)).toBeGreaterThan(100_000);
    await other.block(counter, 290_000);
    expect(await one.take(counter)).toBeGreaterThan(200_000);
  });
}

describeWith(redisServer, "through ioredis", (url) => {
  shares(async () => {
    const client = new Redis(url);
    await new Promise((resolve) => client.once("ready", resolve));
    ends.push(() => client.disconnect());
    return redisRateLimit(client);
  });

  test("a lost connection rejects at once, and is printed without its address", async () => {
    const client = new Redis(url, { lazyConnect: true });
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const shared = redisRateLimit(client);
    await expect(shared.take(counterOf("down"))).rejects.toThrow("not ready");
    await expect(shared.block(counterOf("down"), 5)).rejects.toThrow("not ready");
    await createCall(shared)();
    expect(warn).toHaveBeenCalledOnce();
    expect(String(warn.mock.calls[0])).toContain("the store of a shared rate limit failed");
    expect(String(warn.mock.calls[0])).not.toContain("127.0.0.1");
    warn.mockRestore();
    client.disconnect();
  });
});

describeWith(redisServer, "through node-redis", (url) => {
  shares(async () => {
    const client = await createClient({ url }).connect();
    ends.push(() => client.destroy());
    return redisRateLimit(client, { name: "another" });
  });
});

describeWith(postgresServer, "through pg", (url) => {
  shares(async () => {
    const pool = openPool(url);
    return postgresRateLimit(pool);
  });

  /** Opens a pool whose role may use no table that it is not granted, and may create none. */
  async function openPoor(table: string): Promise<{ poor: pg.Pool; texts: string[] }> {
    const owner = openPool(url);
    const role = `poor_${table}`;
    await owner.query(`CREATE ROLE ${role} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    const address = new URL(url);
    address.username = role;
    const poor = openPool(address.href);
    const texts: string[] = [];
    poor.on("connect", (client) => {
      const query = client.query.bind(client) as (text: string) => Promise<unknown>;
      client.query = ((text: string) => {
        texts.push(text);
        return query(text);
      }) as typeof client.query;
    });
    return { poor, texts };
  }
  const creations = (texts: string[]) => texts.filter((text) => text.includes("CREATE")).length;
  const grant = async (table: string) => {
    const owner = openPool(url);
    await owner.query(postgresRateLimitTable(table));
    await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO poor_${table}`);
  };

  test.each([undefined, false])(
    "a role that may not create tables uses one that exists, with createTable: %s",
    async (createTable) => {
      const table = `limits_${String(createTable)}`;
      const { poor, texts } = await openPoor(table);
      await grant(table);
      const store = postgresRateLimit(poor, { name: table, createTable });
      const counter = { key: "one", limit: 1, window: 60_000 };
      expect(await store.take(counter)).toBe(0);
      expect(await store.take(counter)).toBeGreaterThan(30_000);
      expect(creations(texts)).toBe(0);
    },
  );

  test("a table that cannot be created is named, and used as soon as it exists", async () => {
    const table = "limits_later";
    const { poor, texts } = await openPoor(table);
    const store = postgresRateLimit(poor, { name: table });
    const counter = { key: "one", limit: 1, window: 60_000 };
    const code = "42501";
    await expect(store.take(counter)).rejects.toThrow("postgresRateLimitTable()");
    await expect(store.block(counter, 1_000)).rejects.toMatchObject({ code });
    await grant(table);
    expect(await store.take(counter)).toBe(0);
    expect(await store.take(counter)).toBeGreaterThan(30_000);
    expect(creations(texts)).toBe(2);
  });
});

/** Makes 50 calls through a store that has worked once and then swallows everything. */
async function callBesideBlackHole(hole: BlackHole, shared: SharedRateLimit): Promise<number> {
  const call = createCall(shared);
  await call();
  hole.swallow();
  const began = performance.now();
  await Promise.all(Array.from({ length: 50 }, call));
  return performance.now() - began;
}

describe("50 calls at once beside a store that swallows everything take at most 3 s:", () => {
  describeWith(redisServer, "Redis", (url) => {
    test.each(["ioredis", "node-redis"])("%s", async (name) => {
      const hole = await startBlackHole(url);
      const onError = vi.fn();
      const open = async () => {
        if (name === "ioredis") {
          const client = new Redis(hole.url);
          client.on("error", () => undefined);
          await new Promise((resolve) => client.once("ready", resolve));
          ends.push(() => client.disconnect());
          return client;
        }
        const client = createClient({ url: hole.url });
        client.on("error", () => undefined);
        await client.connect();
        ends.push(() => client.destroy());
        return client;
      };
      const shared = redisRateLimit(await open(), { onError, name: `hole_${name}` });
      expect(await callBesideBlackHole(hole, shared)).toBeLessThan(3_000);
      expect(onError).toHaveBeenCalledOnce();
      hole.close();
    });
  });
  describeWith(postgresServer, "PostgreSQL", (url) => {
    test("pg", async () => {
      const hole = await startBlackHole(url);
      const pool = openPool(hole.url);
      const onError = vi.fn();
      const shared = postgresRateLimit(pool, { onError, name: "hole" });
      expect(await callBesideBlackHole(hole, shared)).toBeLessThan(3_000);
      expect(onError).toHaveBeenCalledOnce();
      hole.close();
    });
  });
});
