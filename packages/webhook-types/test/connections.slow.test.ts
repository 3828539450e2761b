import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, test, vi } from "vitest";
import { startPgBouncer, startPostgres, startRedis } from "../../../tools/servers.ts";
import { signedRequest } from "../src/index.ts";
import { postgresMirror } from "../../mirror/src/index.ts";
import { createQueueReceiver, createQueueWorker, type DeliveryJob } from "../src/queue/index.ts";
import { createReceiver, memoryPoison, type ReceiverOptions } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresPoison,
  postgresStore,
  postgresTables,
  redisOrder,
  redisStore,
  sqliteInbox,
  sqliteOrder,
} from "../src/stores/index.ts";
import { startBlackHole } from "../../../tools/testing/black-hole.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { newEvent } from "./drivers.ts";
import { newDatabase } from "./drivers-of-postgres.ts";
import { migrationOf } from "../../../tools/testing/mirrors.ts";

const [server, redis] = await Promise.all([startPostgres(), startRedis()]);
const bouncer = server.url === undefined ? server : await startPgBouncer(server.url);
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-connections-"));
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  for (const each of [bouncer, server, redis]) if (each.url !== undefined) await each.stop();
  rmSync(folder, { recursive: true });
});

const secret = "whsec_test";
const request = async (event: object) => signedRequest(event, { url: "http://127.0.0.1/", secret });

/** Returns a function that delivers an event, and returns what its sender sees. */
function deliverTo(options: Pick<ReceiverOptions, "store"> & Partial<ReceiverOptions>) {
  const quiet = { onOutcome: () => {}, onError: () => {} };
  const handlers = { "*": () => undefined };
  const receive = createReceiver({ secret, handlers, ...quiet, ...options } as ReceiverOptions);
  return async (event: object): Promise<string> => {
    const response = await receive(await request(event));
    return `${response.status} ${await response.text()}`;
  };
}

/** A pool of a new database with all tables, and the name of the database. */
async function openPool(url: string, options: pg.PoolConfig = {}) {
  const { name, url: own, control, close } = await newDatabase(String(server.url), url);
  await control.query(postgresTables() + postgresOrderTable() + migrationOf("postgres"));
  const timeout = { connectionTimeoutMillis: 10_000 };
  const pool = new pg.Pool({ connectionString: own, ...timeout, ...options });
  pool.on("error", () => {});
  ends.push(close, () => pool.end());
  return { pool, name };
}

describeWith(server, "PostgreSQL", (url) => {
  test("a missing table of poison is named, and is not the failure of a handler", async () => {
    const { pool } = await openPool(url);
    await pool.query("DROP TABLE IF EXISTS fieldmesh_poison");
    const errors: unknown[] = [];
    const receive = createReceiver({
      secret,
      store: postgresInbox(pool),
      poison: { store: postgresPoison(pool), attempts: 1 },
      onOutcome: () => {},
      onError: (error) => errors.push(error),
      handlers: { "*": () => {} },
    });
    expect((await receive(await request(newEvent()))).status).toBe(503);
    expect(String(errors)).toMatch(
      /^Error: relation "fieldmesh_poison".*postgresPoisonTable\(\)\)\.$/,
    );
  });

  test("EPIPE after the handlers is not their failure, and sets no event aside", async () => {
    const { name } = await openPool(url);
    const hole = await startBlackHole(url, join(folder, ".s.PGSQL.5432"));
    const { username: user, password } = new URL(url);
    const pool = new pg.Pool({ host: folder, user, password, database: name, max: 2 });
    pool.on("error", () => {});
    ends.push(
      () => hole.close(),
      () => pool.end(),
    );
    const deliver = deliverTo({
      store: postgresInbox(pool),
      poison: { store: memoryPoison({ payload: "withoutSecrets" }), attempts: 3 },
      handlers: { "*": () => hole.cut() },
    });
    const event = newEvent();
    const responses: string[] = [];
    for (let attempt = 1; attempt <= 4; attempt++) responses.push(await deliver(event));
    expect(responses).toEqual(Array(4).fill("503 store_failed"));
  });

  test.each([
    ["20 jobs at once need a pool of more than 20 connections", 25, 20],
    // One connection stays free for other queries.
    ["a job that gets no connection says so, and does not blame the database", 10, 9],
  ])("%s", async (_title, max, expected) => {
    const { pool } = await openPool(url, { max });
    const key = await crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]);
    const jobs: DeliveryJob[] = [];
    const queue = { add: async (job: DeliveryJob) => void jobs.push(job) };
    const receive = createQueueReceiver({ secret, keys: [key], queue, onOutcome: () => {} });
    for (let each = 0; each < 20; each++) await receive(await request(newEvent()));
    const errors: unknown[] = [];
    const work = createQueueWorker({
      keys: [key],
      store: postgresInbox(pool),
      onOutcome: () => {},
      onError: (error) => errors.push(error),
      handlers: { "*": () => sleep(11_000) },
    });
    const results = await Promise.allSettled(jobs.map(work));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(expected);
    for (const error of errors) {
      expect(String(error)).toMatch(/connection.*pool|pool.*connection/);
      expect(String(error)).not.toContain("reachable");
    }
  });
});

describeWith(bouncer, "PgBouncer", (url) => {
  test("a mirror writes each row that it says it has written, beside other clients", async () => {
    const { pool } = await openPool(url, { max: 10 });
    const mirror = postgresMirror(pool);
    const events = Array.from({ length: 60 }, (_, index) =>
      sampleEvent("plan.updated", {
        id: `evt_${index}`,
        data: { object: { id: `plan_${index}` } },
      }),
    );
    const traffic = new AbortController();
    const others = [1, 2, 3].map(async () => {
      while (!traffic.signal.aborted) await pool.query("BEGIN; SELECT pg_sleep(0.002); COMMIT");
    });
    const { written } = await mirror.apply(await mirror.repair(events.slice(0, 30)));
    const deliver = deliverTo({ store: postgresInbox(pool), order: mirror });
    const responses = await Promise.all(events.slice(30).map(deliver));
    traffic.abort();
    await Promise.all(others);
    expect([written, responses]).toEqual([30, Array(30).fill("200 handled")]);
    expect((await pool.query("SELECT id FROM fieldmesh_mirror")).rows).toHaveLength(60);
  });
});

describe("the id of an object with NUL, or of 10 kB,", () => {
  const ids = {
    NUL: "plan_\0",
    "10 kB": `plan_${Array.from({ length: 1_250 }, () => Math.random().toString(36).slice(2, 10)).join("")}`,
  };
  const at = (id: string, created_at: string) => ({
    ...sampleEvent("plan.updated", { created_at, data: { object: { id } } }),
    id: newEvent().id,
  });
  const open = {
    "postgresInbox with postgresOrder": async () => {
      const { pool } = await openPool(String(server.url));
      return { store: postgresInbox(pool), order: postgresOrder(pool) };
    },
    "postgresStore with postgresOrder": async () => {
      const { pool } = await openPool(String(server.url));
      return { store: postgresStore(pool), order: postgresOrder(pool) };
    },
    "sqliteInbox with sqliteOrder": async () => {
      const database = new DatabaseSync(":memory:");
      return { store: sqliteInbox(database), order: sqliteOrder(database) };
    },
    "redisStore with redisOrder": async () => {
      const client = new Redis(String(redis.url));
      ends.push(() => client.disconnect());
      return { store: redisStore(client), order: redisOrder(client, { prefix: newEvent().id }) };
    },
  };
  for (const [name, create] of Object.entries(open))
    test.skipIf(server.url === undefined || redis.url === undefined).each(Object.entries(ids))(
      `has an order in ${name}: %s`,
      async (_what, id) => {
        const deliver = deliverTo(await create());
        const newer = await deliver(at(id, "2026-01-02T00:00:00Z"));
        const older = await deliver(at(id, "2026-01-01T00:00:00Z"));
        expect([newer, older]).toEqual(["200 handled", "200 superseded"]);
      },
    );

  describeWith(server, "in a mirror", (url) => {
    test.each(Object.entries(ids))(
      "is left out of the table, and reported: %s",
      async (_what, id) => {
        const { pool } = await openPool(url);
        const mirror = postgresMirror(pool);
        const deliver = deliverTo({ store: postgresInbox(pool), order: mirror });
        const event = at(id, "2026-01-02T00:00:00Z");
        expect(await deliver(event)).toBe("200 handled");
        expect(await mirror.verify([event, at("plan_1", "2026-01-02T00:00:00Z")])).toMatchObject({
          missing: [{ id: "plan_1" }],
          withoutRow: 1,
        });
        expect((await pool.query("SELECT id FROM fieldmesh_mirror")).rows).toEqual([]);
      },
    );
  });
});

test("two copies of the package share the turns of one SQLite connection", async () => {
  vi.resetModules();
  const copy = await import("../src/stores/index.ts");
  expect(copy.sqliteInbox).not.toBe(sqliteInbox);
  const database = new DatabaseSync(":memory:");
  const handlers = { "*": () => sleep(50) };
  const [one, other] = [
    deliverTo({ store: sqliteInbox(database), handlers }),
    deliverTo({ store: copy.sqliteInbox(database, { table: "of_the_copy" }), handlers }),
  ];
  const both = Array.from({ length: 3 }, () => [one(newEvent()), other(newEvent())]).flat();
  expect(await Promise.all(both)).toEqual(Array(6).fill("200 handled"));
});
