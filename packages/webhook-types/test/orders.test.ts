import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Redis } from "ioredis";
import pg from "pg";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { startPostgres, startRedis } from "../../../tools/servers.ts";
import { signedRequest, type UnknownEvent, type WebhookEvent } from "../src/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryOrder,
  memoryStore,
  type Inbox,
  type InboxOrder,
  type ObjectOrder,
} from "../src/receiver/index.ts";
import { createEventRouter, type EventHandler } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { inboxOrderTests, orderTests, type TestableInboxOrder } from "../src/store-kit/index.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresTables,
  redisOrder,
  sqliteInbox,
  sqliteOrder,
} from "../src/stores/index.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { everyRuns, type CreatorsOf } from "./every-store.ts";
import { ioredisOf } from "./ioredis-double.ts";

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

const everyOrder = {
  memoryOrder,
  redisOrder,
  postgresOrder,
  sqliteOrder,
} satisfies CreatorsOf<ObjectOrder>;
const hasServers = redisServer.url !== undefined && postgresServer.url !== undefined;
const orderRuns = everyRuns(everyOrder, { hasServers });
const everyInboxOrder = { postgresOrder, sqliteOrder } satisfies CreatorsOf<InboxOrder>;
const inboxOrderRuns = everyRuns(everyInboxOrder, { hasServers });

describe("memory", () => {
  const order = memoryOrder();
  followsTheRules("memoryOrder", () => [order, order]);
});

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-sqlite-"));
  const file = join(folder, "objects.db");
  const [database, other] = [new DatabaseSync(file), new DatabaseSync(file)];
  const inMemory = new DatabaseSync(":memory:", { readBigInts: true });
  afterAll(() => {
    for (const each of [database, other, inMemory]) each.close();
    rmSync(folder, { recursive: true });
  });

  followsTheRules("sqliteOrder", () => [sqliteOrder(database), sqliteOrder(other)]);
  describe("in the transaction of an inbox", () => {
    joinsAnInbox("sqliteOrder", () => ({
      inbox: sqliteInbox(database),
      order: sqliteOrder(database),
    }));
  });
  describe("in the transaction of an inbox in memory, with integers that are read as BigInt", () => {
    const options = { table: "of_a_test" };
    joinsAnInbox("sqliteOrder", () => ({
      inbox: sqliteInbox(inMemory, options),
      order: sqliteOrder(inMemory, { table: "objects_of_a_test" }),
    }));
  });

  test("clean-up deletes objects without recent events, and a row has only a kind, an id and times", async () => {
    const clock = createVirtualClock("2026-11-20T08:00:00Z");
    const own = new DatabaseSync(":memory:");
    const order = sqliteOrder(own, { retention: 3 * DAY, clock });
    await order.remember(at("2026-01-02T00:00:00Z", "plan_old"));
    const ahead = at("2126-01-02T00:00:00Z", "plan_old");
    await order.firstClaim?.(ahead, clock.now(), { source: ahead });
    await clock.advance(2 * DAY);
    await order.remember(at("2026-01-02T00:00:00Z", "plan_young"));
    await clock.advance(DAY + 1);
    expect(await order.cleanUp()).toBe(2);
    expect(own.prepare("SELECT * FROM fieldmesh_objects").all()).toEqual([
      {
        id: "plan.plan_young",
        newest_ms: Date.parse("2026-01-02T00:00:00Z"),
        seen_at: Date.parse("2026-11-22T08:00:00Z"),
      },
    ]);
  });
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
});

describeWith(postgresServer, "PostgreSQL", (url) => {
  const table = `objects_${Date.now()}`;
  const events = `events_${Date.now()}`;
  // Only one connection: a caller that holds it and waits for a second one waits forever.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {});
  beforeAll(async () => {
    for (let twice = 0; twice < 2; twice += 1)
      await pool.query(postgresOrderTable(table) + postgresTables(events));
  });
  const wide = new pg.Pool({ connectionString: url, max: 10 });
  wide.on("error", () => {});
  afterAll(async () => {
    await pool.end();
    await wide.end();
  });

  followsTheRules("postgresOrder", () => [
    postgresOrder(pool, { table }),
    postgresOrder(wide, { table }),
  ]);
  describe("in the transaction of an inbox", () => {
    joinsAnInbox("postgresOrder", () => ({
      inbox: postgresInbox(wide, { table: events }),
      order: postgresOrder(wide, { table }),
    }));
  });

  test("an event whose object is locked for 5 s is in progress, and handlers keep their lock_timeout", async () => {
    const wait = async (client: pg.Pool): Promise<void> => {
      const inbox = postgresInbox(client, { table: events });
      const event = at("2026-01-02T00:00:00Z", newId());
      const [started, ended] = [Promise.withResolvers<unknown>(), Promise.withResolvers<void>()];
      const receive = receiverOf(
        { inbox, order: postgresOrder(client, { table }) },
        async (_event, context) => {
          const { rows } = await inbox.transaction(context).query("SHOW lock_timeout");
          started.resolve(rows[0]?.lock_timeout);
          await ended.promise;
        },
      );
      const first = receive(event);
      expect(await started.promise).toBe("0");
      expect(await receive({ ...event, id: `evt_${newId()}` })).toBe("in_progress");
      ended.resolve();
      expect(await first).toBe("handled");
    };
    await wait(wide);
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
});

test("an order that cannot join the transactions of an inbox is a TypeError, before any event", async () => {
  const [pool, other] = [new pg.Pool(), new pg.Pool()];
  for (const each of [pool, other]) each.on("error", () => {});
  const redis = ioredisOf(async () => null);
  const inbox = postgresInbox(pool);
  const options = { secret: "whsec_test", store: inbox, handlers: {} };
  const problem =
    /^order cannot join the transactions of this inbox.*pass postgresOrder\(pool\), with the same pool/;
  const database = new DatabaseSync(":memory:");
  const orders = [memoryOrder(), redisOrder(redis), postgresOrder(other), sqliteOrder(database)];
  for (const order of orders) {
    expect(() => createReceiver({ ...options, order })).toThrow(problem);
    const router = createEventRouter({});
    await expect(
      handleEvent(sampleEvent("plan.updated"), { router, store: inbox, order }),
    ).rejects.toThrow(problem);
  }
  const inSqlite = { ...options, store: sqliteInbox(database) };
  for (const order of [
    memoryOrder(),
    postgresOrder(pool),
    sqliteOrder(new DatabaseSync(":memory:")),
  ])
    expect(() => createReceiver({ ...inSqlite, order })).toThrow(problem);
  expect(() => createReceiver({ ...inSqlite, order: sqliteOrder(database) })).not.toThrow();
  // An inbox of the user that knows nothing of orders.
  const store: Inbox = { run: (...all) => inbox.run(...all) };
  expect(() => createReceiver({ ...options, store, order: postgresOrder(pool) })).toThrow(problem);
  expect(() => createReceiver({ ...options, order: postgresOrder(pool) })).not.toThrow();
  expect(() =>
    createReceiver({ ...options, store: memoryStore(), order: redisOrder(redis) }),
  ).not.toThrow();
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

  test.each([
    ["NUL", () => `${newId()}\0`],
    ["10 kB", () => newId() + Array.from({ length: 300 }, () => crypto.randomUUID()).join("")],
  ])("an object whose id has %s has an order", async (_what, makeId) => {
    const [order, id] = [create(), makeId()];
    await order.remember(at("2026-01-02T00:00:00Z", id));
    expect(await order.isOlder(at("2026-01-01T00:00:00Z", id))).toBe(true);
    expect(await order.isOlder(at("2026-01-03T00:00:00Z", id))).toBe(false);
  });
}

/** Runs the rules of an order that joins an inbox, and those of a receiver with both. */
function joinsAnInbox(name: keyof typeof everyInboxOrder, create: () => TestableInboxOrder): void {
  inboxOrderRuns(name);
  test.each(inboxOrderTests(create))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  test("order and write commit together: an event whose handler failed makes no other one outdated", async () => {
    const id = newId();
    let isFailing = true;
    const seen: string[] = [];
    const receive = receiverOf(create(), ({ created_at }, { order }) => {
      if (isFailing) throw new Error("not yet");
      seen.push(`${created_at} ${order}`);
    });
    const newer = at("2026-01-02T00:00:00Z", id);
    expect(await receive(newer)).toBe("failed");
    isFailing = false;
    expect(await receive(at("2026-01-01T00:00:00Z", id))).toBe("handled");
    expect(await receive(newer)).toBe("handled");
    expect(await receive(newer)).toBe("duplicate");
    const older = at("2026-01-01T12:00:00Z", id);
    expect([await receive(older), await receive(older)]).toEqual(["superseded", "duplicate"]);
    expect(seen).toEqual(["2026-01-01T00:00:00Z newest", "2026-01-02T00:00:00Z newest"]);
  });

  test("an event whose object has no id is handled, and its context says no order", async () => {
    const seen: unknown[] = [];
    const receive = receiverOf(create(), (_event, { order }) => void seen.push(order));
    expect(await receive(at("2026-01-02T00:00:00Z"))).toBe("handled");
    expect(seen).toEqual([undefined]);
  });
}

/** Returns a function that delivers an event to a receiver, and returns its outcome. */
function receiverOf(
  { inbox, order }: TestableInboxOrder,
  handle: EventHandler<WebhookEvent | UnknownEvent>,
): (event: object) => Promise<string> {
  const receive = createReceiver({
    secret: "whsec_test",
    store: inbox,
    order,
    handlers: { "*": handle },
    onError: () => {},
  });
  return async (event) => {
    const request = await signedRequest(event, { url: "http://127.0.0.1/", secret: "whsec_test" });
    return (await receive(request)).text();
  };
}
