import { once } from "node:events";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { Redis } from "ioredis";
import pg from "pg";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { startPostgres, startRedis } from "../../../tools/servers.ts";
import { stringifyJson } from "@fieldmesh/core";
import { signedRequest } from "../src/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryPoison,
  memoryStore,
  type EventStore,
  type IdempotencyStore,
  type Inbox,
  type InboxTransaction,
} from "../src/receiver/index.ts";
import { createEventRouter, type EventContext } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { inboxTests, storeTests } from "../src/store-kit/index.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresPoison,
  postgresPoisonTable,
  postgresStore,
  postgresTables,
  redisStore,
  sqliteInbox,
  sqlitePoison,
  sqliteStore,
  type PostgresInbox,
} from "../src/stores/index.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import { everyRuns, type CreatorsOf } from "./every-store.ts";

// The test file starts them, so that a run without them says so.
const [redisServer, postgresServer] = await Promise.all([startRedis(), startPostgres()]);
afterAll(async () => {
  for (const server of [redisServer, postgresServer])
    if (server.url !== undefined) await server.stop();
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let count = 0;
const newId = () => `evt_${Date.now()}_${(count += 1)}`;

const hasServers = redisServer.url !== undefined && postgresServer.url !== undefined;
const everyStore = {
  memoryStore,
  sqliteStore,
  redisStore,
  postgresStore,
  // It remembers nothing, so it breaks the rules on purpose.
} satisfies Omit<CreatorsOf<IdempotencyStore>, "noStore">;
const storeRuns = everyRuns(everyStore, { hasServers });
const everyInbox = { postgresInbox, sqliteInbox } satisfies CreatorsOf<Inbox>;
const inboxRuns = everyRuns(everyInbox, { hasServers });

describe("memory", () => {
  followsTheRules("memoryStore", () => memoryStore());
});

describe("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-sqlite-"));
  const file = join(folder, "events.db");
  const database = new DatabaseSync(file);
  const inMemory = new DatabaseSync(":memory:", { readBigInts: true });
  afterAll(() => {
    database.close();
    inMemory.close();
    rmSync(folder, { recursive: true });
  });

  describe("in a file", () => {
    followsTheRules("sqliteStore", () => sqliteStore(database));
  });
  describe("in memory, with integers that are read as BigInt", () => {
    followsTheRules("sqliteStore", () => sqliteStore(inMemory, { table: "hooks" }));
  });

  describe.each([
    ["in a file", database],
    ["in memory, with integers that are read as BigInt", inMemory],
  ])("the inbox %s", (_name, connection) => {
    // Its other tests are in sqlite-inbox.test.ts.
    inboxRuns("sqliteInbox");
    connection.exec("CREATE TABLE effects (event_id TEXT)");
    const countRows = connection.prepare("SELECT count(*) AS n FROM effects WHERE event_id = ?");
    const testable = () => {
      const inbox = sqliteInbox(connection, { table: "of_the_kit" });
      return {
        inbox,
        write: (context: EventContext, id: string) =>
          inbox.transaction(context).prepare("INSERT INTO effects VALUES (?)").run(id),
        fail: (context: EventContext) => inbox.transaction(context).exec("SELECT nonsense"),
        count: (id: string) => Number(countRows.get(id)?.["n"]),
      };
    };
    test.each(inboxTests(testable))("$name", async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });
  });

  test("a killed process does not undo completed events, and its leases expire", async () => {
    const program = `
      import { DatabaseSync } from "node:sqlite";
      import { sqliteStore } from ${JSON.stringify(join(import.meta.dirname, "../src/stores/index.ts"))};
      const store = sqliteStore(new DatabaseSync(${JSON.stringify(file)}));
      for (const id of ["evt_done", "evt_lost"]) await store.claim(id, "dead", id === "evt_done" ? 60_000 : 300);
      await store.complete("evt_done", "dead");
      process.kill(process.pid, "SIGKILL");`;
    const { signal, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    expect([signal, stderr]).toEqual(["SIGKILL", expect.not.stringContaining("Error")]);
    const store = sqliteStore(database);
    expect(await store.claim("evt_done", "next", HOUR)).toEqual({ status: "done" });
    await vi.waitFor(async () =>
      expect(await store.claim("evt_lost", "next", HOUR)).toEqual({
        status: "claimed",
        attempt: 2,
      }),
    );
  });

  test("clean-up deletes only records that are older than the retention", async () => {
    const clock = createVirtualClock("2026-11-20T08:00:00Z");
    const store = sqliteStore(database, { table: "cleaned", retention: 3 * DAY, clock });
    await store.claim("evt_old", "t", HOUR);
    await store.complete("evt_old", "t");
    await clock.advance(2 * DAY);
    await store.claim("evt_young", "t", HOUR);
    await store.complete("evt_young", "t");
    await clock.advance(DAY + 1);
    expect(await store.cleanUp()).toBe(1);
    expect(await store.claim("evt_young", "t", HOUR)).toEqual({ status: "done" });
    expect(await store.claim("evt_old", "t", HOUR)).toEqual({ status: "claimed", attempt: 1 });
  });

  test("a lease ends when the machine restarts, from whose start it is measured", async () => {
    const own = new DatabaseSync(":memory:");
    const store = sqliteStore(own);
    await store.claim("evt_1", "before", HOUR);
    own.exec(
      "UPDATE fieldmesh_events SET leased_at = leased_at + 1e12, lease_until = lease_until + 1e12",
    );
    expect(await store.claim("evt_1", "after", HOUR)).toEqual({ status: "claimed", attempt: 2 });
  });

  test("rejects while a transaction of the application is open, because its rollback would undo the mark", async () => {
    const shared = new DatabaseSync(":memory:");
    const store = sqliteStore(shared);
    const poison = sqlitePoison(shared);
    const message =
      "A transaction is open on the connection of sqliteStore, and rolling it back would undo the mark of an event. Pass the store its own connection: new DatabaseSync(path).";
    shared.exec("BEGIN");
    await expect(store.claim("evt_1", "t", HOUR)).rejects.toThrow(message);
    await expect(poison.fail({ id: "evt_1", type: "x", error: "e" })).rejects.toThrow(
      "sqlitePoison",
    );
    shared.exec("ROLLBACK");
    expect((await store.claim("evt_1", "t", HOUR)).status).toBe("claimed");
    shared.exec("BEGIN");
    await expect(store.complete("evt_1", "t")).rejects.toThrow(message);
    shared.exec("COMMIT");
    expect(await store.complete("evt_1", "t")).toBe(true);
    // The message of better-sqlite3.
    const other = { exec: () => 0, prepare: () => ({ all: () => [] }), inTransaction: true };
    await expect(sqliteStore(other).claim("evt_1", "t", HOUR)).rejects.toThrow(message);
    shared.close();
  });

  test("no code, email or secret is written to the file", async () => {
    await receiveCanaries(sqliteStore(database));
    await receiveCanaries(sqliteInbox(database));
    expectNoCanary(readFileSync(file, "latin1"), 6);
  });
});

describeWith(redisServer, "Redis", (url) => {
  const prefix = `fieldmesh:test:${newId()}:`;
  const ioredis = new Redis(url, { lazyConnect: true });
  const redis = createClient({ url });
  beforeAll(async () => {
    await Promise.all([ioredis.connect(), redis.connect()]);
  });
  afterAll(async () => {
    const keys = await ioredis.keys(`${prefix}*`);
    if (keys.length > 0) await ioredis.del(...keys);
    ioredis.disconnect();
    redis.destroy();
  });

  describe("by ioredis", () => {
    followsTheRules("redisStore", () => redisStore(ioredis, { prefix }));
  });
  describe("by redis", () => {
    followsTheRules("redisStore", () => redisStore(redis, { prefix }));
  });

  test("no code, email or secret is written to Redis", async () => {
    await receiveCanaries(redisStore(ioredis, { prefix }));
    const keys = await ioredis.keys("*");
    const dumps = await Promise.all(keys.map((key) => ioredis.dumpBuffer(key)));
    const fields = await Promise.all(keys.map((key) => ioredis.hgetall(key)));
    const texts = dumps.map((dump) => dump?.toString("latin1"));
    expectNoCanary(JSON.stringify([keys, fields, texts]), 3);
  });

  test("Redis forgets a done event when its retention ends, and stores only ids and times", async () => {
    const store = redisStore(redis, { prefix, retention: 3 * DAY });
    const id = newId();
    await store.claim(id, "token", HOUR);
    await store.complete(id, "token");
    const left = await ioredis.pttl(prefix + id);
    expect(left).toBeGreaterThan(3 * DAY - HOUR);
    expect(left).toBeLessThanOrEqual(3 * DAY);
    expect(await ioredis.hgetall(prefix + id)).toEqual({
      n: "1",
      d: expect.stringMatching(/^\d+$/),
    });
  });
});

/** Values that no store may contain: a one-time code, an activation code, an email and the signing secret. */
const CANARIES = ["493817", "LPA:1$canary.example.com$31415", "canary@example.com", "whsec_canary"];

/** Delivers events that contain them to a receiver: some are handled, some fail, and each is delivered twice at the same time. */
async function receiveCanaries(store: EventStore): Promise<void> {
  const [code, activation_code, email, secret = ""] = CANARIES;
  const events = [
    sampleEvent("cpni.verification.requested", { id: newId(), data: { object: { code } } }),
    sampleEvent("sim.activated", { id: newId(), data: { object: { activation_code } } }),
    sampleEvent("psim_order.paid", { id: newId(), data: { object: { email } } }),
  ];
  for (const isFailing of [true, false]) {
    const receive = createReceiver({
      secret,
      store,
      onError: () => {},
      handlers: {
        "*": ({ data }) => {
          if (isFailing) throw new Error(stringifyJson(data, { reveal: true }));
        },
      },
    });
    for (const event of events) {
      const send = async (): Promise<number> =>
        (await receive(await signedRequest(event, { url: "http://127.0.0.1/", secret }))).status;
      expect(await Promise.all([send(), send()])).toContain(isFailing ? 500 : 200);
    }
  }
}

function expectNoCanary(stored: string, atLeast: number): void {
  expect(stored.split("evt_").length).toBeGreaterThan(atLeast);
  for (const canary of CANARIES) expect(stored).not.toContain(canary);
}

describeWith(postgresServer, "PostgreSQL", (url) => {
  const table = `fieldmesh_test_${Date.now()}`;
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pool.on("error", () => {});
  beforeAll(async () => {
    await pool.query(postgresTables(table));
    await pool.query(postgresTables(table));
    await pool.query(`CREATE TABLE ${table}_effects (event_id text, n integer)`);
  });
  afterAll(async () => {
    await pool.query(`DROP TABLE ${table}, ${table}_effects`);
    await pool.end();
  });

  followsTheRules("postgresStore", () => postgresStore(pool, { table }));

  test.each(Object.entries({ postgresTables, postgresOrderTable, postgresPoisonTable }))(
    "processes that start at the same moment all have the table of %s",
    async (name, sqlOf) => {
      const clients = Array.from({ length: 8 }, () => new pg.Client({ connectionString: url }));
      for (const client of clients) await client.connect();
      for (let round = 0; round < 10; round++) {
        const sql = sqlOf(`${name.toLowerCase()}_${round}`);
        const created = await Promise.allSettled(clients.map((client) => client.query(sql)));
        expect(created.filter(({ status }) => status === "rejected")).toEqual([]);
      }
      for (const client of clients) await client.end();
    },
  );

  test("the error of a missing table names it, and the function that returns its SQL", async () => {
    const missing = { table: "nobody_made_it" };
    const problem = /"nobody_made_it" does not exist.*postgresTables\(\)/;
    await expect(postgresStore(pool, missing).claim(newId(), "t", HOUR)).rejects.toMatchObject({
      message: expect.stringMatching(problem) as string,
      cause: { code: "42P01" },
    });
    await expect(postgresInbox(pool, missing).run(newId(), async () => {})).rejects.toThrow(
      problem,
    );
    const order = postgresOrder(pool, missing);
    await expect(order.isOlder(sampleEvent("sim.activated"))).rejects.toThrow(
      /postgresOrderTable\(\)/,
    );
    const failing = postgresPoison(pool, missing).fail({ id: "evt_1", type: "x", error: "Error" });
    await expect(failing).rejects.toThrow(/postgresPoisonTable\(\)/);
  });

  test("what a pool lacks is said once, and the advice about a listener works", async () => {
    const bare = new pg.Pool({ connectionString: url });
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    postgresStore(bare, { table });
    postgresInbox(bare, { table });
    await Promise.resolve();
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^postgresStore: the pool has no listener.*pool\.on\("error"/)],
      [expect.stringMatching(/^postgresStore: .*no connectionTimeoutMillis.*5_000/)],
    ]);
    warn.mockClear();
    const late = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 10_000 });
    postgresStore(late, { table });
    late.on("error", () => {});
    await Promise.resolve();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    // The advice prevents this: the database ends an idle connection.
    const { rows } = await late.query("SELECT pg_backend_pid() AS pid");
    const broken = once(late, "error");
    await pool.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
    expect((await broken)[0]).toMatchObject({ code: "57P01" });
    expect(await postgresStore(late, { table }).claim(newId(), "t", HOUR)).toMatchObject({
      status: "claimed",
    });
    await Promise.all([bare.end(), late.end()]);
  });

  test("clean-up deletes only records that are older than the retention", async () => {
    const store = postgresStore(pool, { table, retention: 3 * DAY });
    const [old, young] = [newId(), newId()];
    for (const id of [old, young]) {
      await store.claim(id, "t", HOUR);
      await store.complete(id, "t");
    }
    await pool.query(`UPDATE ${table} SET seen_at = now() - interval '73 hours' WHERE id = $1`, [
      old,
    ]);
    expect(await store.cleanUp()).toBe(1);
    expect(await store.claim(young, "t", HOUR)).toEqual({ status: "done" });
    expect(await store.claim(old, "t", HOUR)).toEqual({ status: "claimed", attempt: 1 });
  });

  test("clean-up deletes in batches of 10,000, and reads only their number", async () => {
    await pool.query(
      `INSERT INTO ${table} (id, seen_at) SELECT 'batch_' || n, now() - interval '9 days' FROM generate_series(1, 20001) n`,
    );
    const sent = vi.spyOn(pg.Client.prototype, "query");
    expect(await postgresStore(pool, { table }).cleanUp()).toBe(20_001);
    const results = await Promise.all(sent.mock.results.map(({ value }) => value as unknown));
    sent.mockRestore();
    expect(results).toMatchObject([
      { rows: [{ count: 10_000 }] },
      { rows: [{ count: 10_000 }] },
      { rows: [{ count: 1 }] },
    ]);
  });

  test("clean-up does not delete an old event that is in progress again", async () => {
    const store = postgresStore(pool, { table, retention: 3 * DAY });
    const id = newId();
    await store.claim(id, "failed", HOUR);
    await store.release(id, "failed");
    await pool.query(`UPDATE ${table} SET seen_at = now() - interval '8 days' WHERE id = $1`, [id]);
    await store.claim(id, "mine", HOUR);
    expect(await store.cleanUp()).toBe(0);
    expect(await store.claim(id, "other", HOUR)).toMatchObject({ status: "in_progress" });
  });

  const effects = async (id: string) =>
    (await pool.query(`SELECT n FROM ${table}_effects WHERE event_id = $1`, [id])).rowCount;
  const insert = `INSERT INTO ${table}_effects (event_id, n) VALUES ($1, 1)`;

  describe("the inbox", () => {
    const make = () => {
      const inbox = postgresInbox(pool, { table });
      return inboxOf(inbox, (client, id) => client.query(insert, [id]));
    };
    const testable = () => {
      const { inbox, write } = make();
      return {
        inbox,
        write: (context: EventContext, id: string) => write(inbox.transaction(context), id),
        fail: (context: EventContext) => inbox.transaction(context).query("SELECT nonsense"),
        count: async (id: string) => (await effects(id)) ?? 0,
      };
    };
    inboxRuns("postgresInbox");
    test.each(inboxTests(testable))("$name", async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });

    test.each(["BEGIN", "COMMIT", "ROLLBACK", "PREPARE TRANSACTION 'x'"])(
      "a handler that sends %s receives an error, and the event is not lost",
      async (statement) => {
        const { inbox, write } = make();
        const id = newId();
        let context: EventContext | undefined;
        const run = () =>
          inbox.run(id, async ({ enter }) => {
            enter((context = {} as EventContext));
            const transaction = inbox.transaction(context);
            await write(transaction, id);
            await transaction.query(statement).catch(() => {});
            await transaction.query(statement);
          });
        await expect(run()).rejects.toThrow("The inbox begins and ends the transaction");
        expect(await effects(id)).toBe(0);
      },
    );

    test("a handler may have savepoints", async () => {
      const { inbox, write } = make();
      const id = newId();
      const context = {} as EventContext;
      const outcome = await inbox.run(id, async ({ enter }) => {
        enter(context);
        const transaction = inbox.transaction(context);
        await transaction.query("SAVEPOINT part");
        await write(transaction, id);
        await transaction.query("ROLLBACK TO SAVEPOINT part");
        await write(transaction, id);
        await transaction.query("RELEASE SAVEPOINT part");
      });
      expect(outcome).toBe("committed");
      expect(await effects(id)).toBe(1);
    });

    test("counts an event whose COMMIT fails as a failed attempt, until it is set aside", async () => {
      const { inbox } = make();
      const unique = `${table}_unique_${(count += 1)}`;
      await pool.query(`CREATE TABLE ${unique} (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`);
      const router = createEventRouter({
        "*": async (_event, context) => {
          await inbox.transaction(context).query(`INSERT INTO ${unique} VALUES (1), (1)`);
        },
      });
      const event = sampleEvent("plan.created", { id: newId() });
      const poison = { store: memoryPoison({ payload: "withoutSecrets" as const }), attempts: 2 };
      const handle = () => handleEvent(event, { router, store: inbox, poison });
      expect(await handle()).toMatchObject({ outcome: "failed", error: { code: "23505" } });
      expect(await handle()).toMatchObject({ outcome: "set_aside" });
      await pool.query(`DROP TABLE ${unique}`);
    });

    /** Raises an error with an SQLSTATE in the database itself. */
    const raise = (transaction: pg.PoolClient, state: string) =>
      transaction.query(
        `DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '${state}'; END $$`,
      );

    test.each([
      ["40001", 3, "handled", 4],
      ["40P01", 1, "handled", 2],
      ["23514", 1, "failed", 1],
    ] as const)(
      "runs handlers again after the SQLSTATE %s, %i times: %s",
      async (state, conflicts, expected, runs) => {
        const { handle, newEvent, inbox } = make();
        const event = newEvent();
        const attempts: number[] = [];
        const ranAt: number[] = [];
        const { outcome } = await handle(event, async (context) => {
          attempts.push(context.attempt);
          ranAt.push(performance.now());
          if (attempts.length <= conflicts) await raise(inbox.transaction(context), state);
        });
        expect(outcome).toBe(expected);
        expect(attempts).toEqual(Array(runs).fill(1));
        // Each run wrote, and all but the last one were undone.
        expect(await effects(event.id)).toBe(expected === "handled" ? 1 : 0);
        for (const [index, at] of ranAt.slice(1).entries())
          expect(at - ranAt[index]!).toBeGreaterThanOrEqual(19);
      },
    );

    test("resolves a deadlock of two events, and both are handled", async () => {
      const { inbox } = make();
      const rows = `${table}_rows_${(count += 1)}`;
      await pool.query(`CREATE TABLE ${rows} AS SELECT 1 AS n UNION SELECT 2`);
      const both = Promise.withResolvers<void>();
      let waiting = 0;
      let runs = 0;
      const handle = (first: number, second: number) => {
        const lock = (n: number) => `SELECT FROM ${rows} WHERE n = ${n} FOR UPDATE`;
        const router = createEventRouter({
          "*": async (_event, context) => {
            runs += 1;
            const transaction = inbox.transaction(context);
            await transaction.query(lock(first));
            if ((waiting += 1) === 2) both.resolve();
            await both.promise;
            await transaction.query(lock(second));
          },
        });
        const event = sampleEvent("plan.created", { id: newId() });
        return handleEvent(event, { router, store: inbox });
      };
      const outcomes = await Promise.all([handle(1, 2), handle(2, 1)]);
      expect(outcomes).toEqual([{ outcome: "handled" }, { outcome: "handled" }]);
      expect(runs).toBeGreaterThanOrEqual(3);
      await pool.query(`DROP TABLE ${rows}`);
    });

    test("does not run a handler again after its sender has disconnected", async () => {
      const { inbox } = make();
      const gone = new AbortController();
      let runs = 0;
      const work = async ({ enter }: InboxTransaction): Promise<void> => {
        runs += 1;
        const context = {} as EventContext;
        enter(context);
        gone.abort();
        await raise(inbox.transaction(context), "40001");
      };
      const run = inbox.run(newId(), work, { signal: gone.signal });
      await expect(run).rejects.toMatchObject({ code: "40001" });
      expect(runs).toBe(1);
    });

    test("a lost connection aborts the signal, awaits the running handler, and delivers the event again", async () => {
      const { handle, newEvent, inbox } = make();
      const event = newEvent();
      let hasEnded = false;
      const outcome = await handle(event, async (context) => {
        const { rows } = await inbox.transaction(context).query("SELECT pg_backend_pid() AS pid");
        const aborted = new Promise((resolve) => {
          context.signal.addEventListener("abort", resolve);
        });
        await pool.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
        await aborted;
        await new Promise((resolve) => setTimeout(resolve, 50));
        hasEnded = true;
      });
      expect(outcome).toMatchObject({ outcome: "store_failed" });
      expect(hasEnded).toBe(true);
      expect(await effects(event.id)).toBe(0);
      expect(await handle(event)).toEqual({ outcome: "handled" });
    });

    test("rejects a context of another inbox", () => {
      const context = { idempotencyKey: "", attempt: 1, delivery: undefined };
      expect(() =>
        make().inbox.transaction({ ...context, signal: new AbortController().signal }),
      ).toThrow(/does not belong to this inbox/);
    });
  });

  test("an event that postgresStore has leased in the table of an inbox is in progress", async () => {
    const id = newId();
    await postgresStore(pool, { table }).claim(id, "a", HOUR);
    const inbox = postgresInbox(pool, { table });
    expect(await inbox.run(id, async () => {})).toBe("in_progress");
    await postgresStore(pool, { table }).complete(id, "a");
    expect(await inbox.run(id, async () => {})).toBe("done");
  });

  test("a handler cannot release the client of the inbox", async () => {
    const inbox = postgresInbox(pool, { table });
    const { handle, newEvent } = inboxOf(inbox, (client, id) => client.query(insert, [id]));
    const event = newEvent();
    const outcome = await handle(event, async (context) => {
      const client = inbox.transaction(context);
      client.release();
      expect(pool.idleCount).toBe(pool.totalCount - 1);
      await client.query(insert, [event.id]);
    });
    expect(outcome).toEqual({ outcome: "handled" });
    expect(await effects(event.id)).toBe(2);
  });

  test("no code, email or secret is written to a row", async () => {
    await receiveCanaries(postgresStore(pool, { table }));
    await receiveCanaries(postgresInbox(pool, { table }));
    const { rows } = await pool.query(`SELECT * FROM ${table}`);
    expectNoCanary(JSON.stringify(rows), 6);
  });
});

/** Runs the rules of the entry `./store-tests`. */
function followsTheRules<Name extends keyof typeof everyStore>(
  name: Name,
  make: () => ReturnType<(typeof everyStore)[Name]>,
): void {
  storeRuns(name);
  test.each(storeTests(make))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
  test("an event in progress says since when its claim is held, whatever extended it", async () => {
    const [store, id] = [make(), newId()];
    await store.claim(id, "a", HOUR);
    await sleep(100);
    await store.release(id, "a");
    const before = performance.now();
    await store.claim(id, "b", HOUR);
    const after = performance.now();
    await sleep(50);
    await store.extend(id, "b", HOUR);
    const { heldFor = Number.NaN } = (await store.claim(id, "c", HOUR)) as { heldFor?: number };
    expect(heldFor).toBeGreaterThanOrEqual(48);
    expect(heldFor).toBeLessThanOrEqual(performance.now() - before + 2);
    expect(performance.now() - after).toBeGreaterThanOrEqual(heldFor - (after - before) - 2);
  });
}

function inboxOf(
  inbox: PostgresInbox<pg.PoolClient>,
  write: (client: pg.PoolClient, id: string) => PromiseLike<unknown>,
) {
  return {
    inbox,
    write,
    newEvent: () => sampleEvent("plan.created", { id: newId() }),
    handle: (
      event: ReturnType<typeof sampleEvent>,
      more: (context: EventContext) => unknown = () => {},
    ) => {
      const router = createEventRouter({
        "plan.created": async (_event, context) => {
          await write(inbox.transaction(context), event.id);
          await more(context);
        },
      });
      return handleEvent(event, { router, store: inbox });
    },
  };
}
