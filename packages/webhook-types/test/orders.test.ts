import { Redis } from "ioredis";
import pg from "pg";
import postgres from "postgres";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, startRedis } from "../../../bench/receiver/servers.ts";
import { signedRequest } from "../src/index.ts";
import {
  createReceiver,
  memoryOrder,
  memoryStore,
  type EventStore,
  type ObjectOrder,
} from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples/index.ts";
import { orderTests } from "../src/store-tests/index.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresStore,
  postgresTables,
  redisOrder,
  redisStore,
} from "../src/stores/index.ts";
import { describeWith } from "./describe-with.ts";
import { everyRuns, type CreatorsOf } from "./every-store.ts";

const [redisServer, postgresServer] = await Promise.all([startRedis(), startPostgres()]);
afterAll(async () => {
  for (const server of [redisServer, postgresServer])
    if (server.url !== undefined) await server.stop();
});

const DAY = 86_400_000;
let count = 0;
const newId = () => `plan_${Date.now()}_${(count += 1)}`;
const at = (created_at: string, id?: string) =>
  sampleEvent("plan.updated", {
    id: `evt_${newId()}`,
    created_at,
    data: { object: { id, name: "canary@example.com" } },
  });

const everyOrder = { memoryOrder, redisOrder, postgresOrder } satisfies CreatorsOf<ObjectOrder>;
const orderRuns = everyRuns(everyOrder, {
  hasServers: redisServer.url !== undefined && postgresServer.url !== undefined,
});

describe("memory", () => {
  const order = memoryOrder();
  followsTheRules("memoryOrder", () => [order, order]);
});

describeWith(redisServer, "Redis", (url) => {
  const prefix = `fieldmesh:test:${newId()}:`;
  const ioredis = new Redis(url, { lazyConnect: true });
  const redis = createClient({ url });
  beforeAll(async () => {
    await Promise.all([ioredis.connect(), redis.connect()]);
  });
  afterAll(() => {
    ioredis.disconnect();
    redis.destroy();
  });

  followsTheRules("redisOrder", () => [
    redisOrder(ioredis, { prefix }),
    redisOrder(redis, { prefix }),
  ]);
  servesReceivers(() => ({ order: redisOrder(redis, { prefix }), store: redisStore(redis) }));

  test("Redis forgets an object after the retention time, and stores only its kind, its id and a time", async () => {
    const id = newId();
    const order = redisOrder(redis, { prefix, retention: 3 * DAY });
    await order.remember(at("2026-01-02T00:00:00Z", id));
    const left = await ioredis.pttl(`${prefix}plan.${id}`);
    expect(left).toBeGreaterThan(2 * DAY);
    expect(left).toBeLessThanOrEqual(3 * DAY);
    expect(await ioredis.get(`${prefix}plan.${id}`)).toBe(
      String(Date.parse("2026-01-02T00:00:00Z")),
    );
  });

  test("redisOrder rejects anything but a client", () => {
    expect(() => redisOrder({} as never)).toThrow(
      "A client of the package redis or ioredis is required, not an object.",
    );
    expect(() => redisOrder(redis, { retention: DAY })).toThrow("3 days or more");
  });
});

describeWith(postgresServer, "PostgreSQL", (url) => {
  const table = `objects_${Date.now()}`;
  const events = `events_${Date.now()}`;
  // Only one connection: a caller that holds it and waits for a second one waits forever.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {});
  const sql = postgres(url, { onnotice: () => {} });
  beforeAll(async () => {
    for (let twice = 0; twice < 2; twice += 1)
      await pool.query(postgresOrderTable(table) + postgresTables(events));
  });
  afterAll(async () => {
    await pool.end();
    await sql.end();
  });

  followsTheRules("postgresOrder", () => [
    postgresOrder(pool, { table }),
    postgresOrder(sql, { table }),
  ]);
  describe("with leases", () => {
    servesReceivers(() => ({
      order: postgresOrder(pool, { table }),
      store: postgresStore(pool, { table: events }),
    }));
  });
  describe("with an inbox", () => {
    servesReceivers(() => ({
      order: postgresOrder(pool, { table }),
      store: postgresInbox(pool, { table: events }),
    }));
  });

  test("clean-up deletes objects without recent events, and a row has only a kind, an id and times", async () => {
    const [old, young] = [newId(), newId()];
    const order = postgresOrder(pool, { table });
    for (const id of [old, young]) await order.remember(at("2026-01-02T00:00:00Z", id));
    await pool.query(`UPDATE ${table} SET seen_at = now() - interval '8 days' WHERE id = $1`, [
      `plan.${old}`,
    ]);
    expect(await order.cleanUp()).toBe(1);
    const { rows } = await pool.query(`SELECT * FROM ${table} WHERE id = ANY($1)`, [
      [`plan.${old}`, `plan.${young}`],
    ]);
    expect(rows).toEqual([
      {
        id: `plan.${young}`,
        newest_ms: Date.parse("2026-01-02T00:00:00Z"),
        seen_at: expect.any(Date),
      },
    ]);
  });

  test("postgresOrder rejects an invalid table name and a short retention", () => {
    expect(() => postgresOrder(pool, { table: "a; DROP" })).toThrow("plain name");
    expect(() => postgresOrder(pool, { retention: DAY })).toThrow("3 days or more");
  });
});

/** Runs the rules of the entry `./store-tests`. Each pair of orders represents two processes. */
function followsTheRules(
  name: keyof typeof everyOrder,
  make: () => readonly [ObjectOrder, ObjectOrder],
): void {
  orderRuns(name);
  const pair: ObjectOrder[] = [];
  const create = (): ObjectOrder => {
    if (pair.length === 0) pair.push(...make());
    return pair.shift()!;
  };
  test.each(orderTests(create))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
}

/** Tests two receivers that represent two processes. */
function servesReceivers(make: () => { order: ObjectOrder; store: EventStore }): void {
  test("an event that one process handled makes earlier events outdated for another", async () => {
    const id = newId();
    const seen: string[] = [];
    const send = async (created_at: string, store?: EventStore): Promise<string> => {
      const receive = createReceiver({
        secret: "whsec_test",
        ...make(),
        ...(store && { store }),
        handlers: { "*": (each) => void seen.push(each.created_at) },
      });
      const url = "http://127.0.0.1/hooks";
      return (
        await receive(await signedRequest(at(created_at, id), { url, secret: "whsec_test" }))
      ).text();
    };
    expect(await send("2026-01-02T00:00:00Z")).toBe("handled");
    expect(await send("2026-01-01T00:00:00Z")).toBe("superseded");
    expect(await send("2026-01-03T00:00:00Z")).toBe("handled");
    // The order is that of the object, not of the store.
    expect(await send("2026-01-02T12:00:00Z", memoryStore())).toBe("superseded");
    expect(seen).toEqual(["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]);
    const ten = Array.from({ length: 10 }, (_, hour) => send(`2026-01-04T0${hour}:00:00Z`));
    expect(new Set(await Promise.all(ten))).not.toContain("store_failed");
  });
}
