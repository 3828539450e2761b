import { Redis } from "ioredis";
import pg from "pg";
import postgres from "postgres";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, startRedis } from "../../../bench/receiver/servers.ts";
import { stringifyJson } from "@fieldmesh/core";
import { signedRequest } from "../src/index.ts";
import {
  createReceiver,
  handleEvent,
  memoryStore,
  type EventStore,
  type IdempotencyStore,
} from "../src/receiver/index.ts";
import { createEventRouter, type EventContext } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples/index.ts";
import {
  postgresInbox,
  postgresStore,
  postgresTables,
  redisStore,
  type PostgresInbox,
} from "../src/stores/index.ts";
import { describeWith } from "./describe-with.ts";

// Started by the test file, so that a run without them says so.
const [redisServer, postgresServer] = await Promise.all([startRedis(), startPostgres()]);
afterAll(async () => {
  for (const server of [redisServer, postgresServer])
    if (server.url !== undefined) await server.stop();
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let count = 0;
const newId = () => `evt_${Date.now()}_${(count += 1)}`;

describe("memory", () => {
  followsTheRules(() => memoryStore());
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
    followsTheRules(() => redisStore(ioredis, { prefix }));
  });
  describe("by redis", () => {
    followsTheRules(() => redisStore(redis, { prefix }));
  });

  test("no code, e-mail or secret gets into Redis", async () => {
    await receiveCanaries(redisStore(ioredis, { prefix }));
    const keys = await ioredis.keys("*");
    const dumps = await Promise.all(keys.map((key) => ioredis.dumpBuffer(key)));
    const fields = await Promise.all(keys.map((key) => ioredis.hgetall(key)));
    const texts = dumps.map((dump) => dump?.toString("latin1"));
    expectNoCanary(JSON.stringify([keys, fields, texts]), 3);
  });

  test("Redis forgets a done event when its retention is over, and holds ids and times only", async () => {
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

/** What must be in no store: a one-time code, an activation code, an e-mail, the signing secret. */
const CANARIES = ["493817", "LPA:1$canary.example.com$31415", "canary@example.com", "whsec_canary"];

/** Sends what holds them through a receiver: handled, failed, and given to two at once. */
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
  const sql = postgres(url, { onnotice: () => {} });
  // Renames columns of several words.
  const camel = postgres(url, { onnotice: () => {}, transform: postgres.camel });
  beforeAll(async () => {
    await pool.query(postgresTables(table));
    await pool.query(postgresTables(table));
    await pool.query(`CREATE TABLE ${table}_effects (event_id text, n integer)`);
  });
  afterAll(async () => {
    await pool.query(`DROP TABLE ${table}, ${table}_effects`);
    await pool.end();
    await sql.end();
    await camel.end();
  });

  describe("by pg", () => {
    followsTheRules(() => postgresStore(pool, { table }));
  });
  describe("by postgres", () => {
    followsTheRules(() => postgresStore(sql, { table }));
  });
  describe("by postgres that renames", () => {
    followsTheRules(() => postgresStore(camel, { table }));
  });

  test("clean-up deletes what is older than the retention, and nothing else", async () => {
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

  test("clean-up leaves an old event alone that somebody has in hand again", async () => {
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

  describe.each([
    [
      "pg",
      () => {
        const inbox = postgresInbox(pool, { table });
        return inboxOf(inbox, (client, id) => client.query(insert, [id]));
      },
    ],
    [
      "postgres",
      () => {
        const inbox = postgresInbox(sql, { table });
        return inboxOf(inbox, (client, id) => client.unsafe(insert, [id]));
      },
    ],
    [
      "postgres that renames",
      () => {
        const inbox = postgresInbox(camel, { table });
        return inboxOf(inbox, (client, id) => client.unsafe(insert, [id]));
      },
    ],
  ] as const)("the inbox by %s", (_name, make) => {
    test("writes effect and mark together, once", async () => {
      const { handle, newEvent } = make();
      const event = newEvent();
      expect(await handle(event)).toEqual({ outcome: "handled" });
      expect(await handle(event)).toEqual({ outcome: "duplicate" });
      expect(await effects(event.id)).toBe(1);
    });

    test("undoes both when a handler fails, also what another handler has written", async () => {
      const { handle, newEvent } = make();
      const event = newEvent();
      expect(await handle(event, () => Promise.reject(new Error("late")))).toMatchObject({
        outcome: "failed",
      });
      expect(await effects(event.id)).toBe(0);
      expect(await handle(event)).toEqual({ outcome: "handled" });
    });

    test("does not take an event for done whose handler swallowed the error of a query", async () => {
      const { handle, newEvent, inbox } = make();
      const event = newEvent();
      const outcome = await handle(event, async (context) => {
        const transaction = inbox.transaction(context) as object;
        await ask(transaction, "SELECT nonsense").catch(() => {});
      });
      expect(outcome).toMatchObject({ outcome: "store_failed" });
      expect(await effects(event.id)).toBe(0);
      expect(await handle(event)).toEqual({ outcome: "handled" });
    });

    test("gives an event to one at a time, and waits for nobody", async () => {
      const { handle, newEvent } = make();
      const event = newEvent();
      const started = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const first = handle(event, () => (started.resolve(), end.promise));
      await started.promise;
      expect(await handle(event)).toMatchObject({ outcome: "in_progress" });
      end.resolve();
      expect(await first).toEqual({ outcome: "handled" });
      expect(await handle(event)).toEqual({ outcome: "duplicate" });
    });

    test("a lost connection aborts the signal; what runs is waited for, and the event comes again", async () => {
      const { handle, newEvent, inbox } = make();
      const event = newEvent();
      let hasEnded = false;
      const outcome = await handle(event, async (context) => {
        const [pid] = await pidOf(inbox.transaction(context) as object);
        const aborted = new Promise((resolve) => {
          context.signal.addEventListener("abort", resolve);
        });
        await pool.query("SELECT pg_terminate_backend($1)", [pid]);
        await aborted;
        await new Promise((resolve) => setTimeout(resolve, 50));
        hasEnded = true;
      });
      expect(outcome).toMatchObject({ outcome: "store_failed" });
      expect(hasEnded).toBe(true);
      expect(await effects(event.id)).toBe(0);
      expect(await handle(event)).toEqual({ outcome: "handled" });
    });

    test("lends the transaction until the event has ended, so that no other event gets what was not awaited", async () => {
      const { handle, newEvent, inbox } = make();
      const lent: { context?: EventContext; transaction?: object } = {};
      const keep = async (context: EventContext): Promise<void> => {
        lent.context = context;
        lent.transaction = inbox.transaction(context) as object;
        await ask(lent.transaction, "SELECT 1");
      };
      expect(await handle(newEvent(), keep)).toEqual({ outcome: "handled" });
      const next = newEvent();
      const during = async (): Promise<void> => {
        expect(() => inbox.transaction(lent.context!)).toThrow("was a promise not awaited?");
        await expect((async () => ask(lent.transaction!, "SELECT 1"))()).rejects.toThrow(
          "was a promise not awaited?",
        );
      };
      expect(await handle(next, during)).toEqual({ outcome: "handled" });
      expect(await effects(next.id)).toBe(1);
    });

    test("refuses a context of anything else", () => {
      const context = { idempotencyKey: "", attempt: 1, delivery: undefined };
      expect(() =>
        make().inbox.transaction({ ...context, signal: new AbortController().signal }),
      ).toThrow(/none of this inbox/);
    });
  });

  test("no code, e-mail or secret gets into a row", async () => {
    await receiveCanaries(postgresStore(pool, { table }));
    await receiveCanaries(postgresInbox(pool, { table }));
    const { rows } = await pool.query(`SELECT * FROM ${table}`);
    expectNoCanary(JSON.stringify(rows), 6);
  });
});

test("refuses a retention below three days, odd table names and odd clients", () => {
  const client = { query: async () => ({ rows: [] }) };
  expect(() => postgresStore(client, { retention: 2 * DAY })).toThrow(/3 days/);
  expect(() => postgresTables("events; DROP TABLE x")).toThrow(TypeError);
  expect(postgresTables("hooks.events")).toContain('"hooks"."events"');
  expect(() => redisStore({} as never)).toThrow(/redis or ioredis/);
});

/** What every store must do; the order of calls in one test is that of two processes. */
function followsTheRules(make: () => IdempotencyStore): void {
  test("gives an event to one, says for how long, and never again once it is done", async () => {
    const store = make();
    const id = newId();
    expect(await store.claim(id, "a", HOUR)).toEqual({ status: "claimed", attempt: 1 });
    const other = await store.claim(id, "b", HOUR);
    expect(other.status).toBe("in_progress");
    const { endsIn } = other as { endsIn: number };
    expect(endsIn).toBeGreaterThan(HOUR / 2);
    expect(endsIn).toBeLessThanOrEqual(HOUR);
    expect(await store.complete(id, "b")).toBe(false);
    expect(await store.complete(id, "a")).toBe(true);
    for (const token of ["a", "b"])
      expect(await store.claim(id, token, HOUR)).toEqual({ status: "done" });
    expect(await store.extend(id, "a", HOUR)).toBe(false);
  });

  test("gives it again to the same token, whose first answer may have been lost", async () => {
    const store = make();
    const id = newId();
    await store.claim(id, "a", HOUR);
    expect(await store.claim(id, "a", HOUR)).toEqual({ status: "claimed", attempt: 1 });
  });

  test("gives a released event to the next at once, and counts", async () => {
    const store = make();
    const id = newId();
    await store.claim(id, "a", HOUR);
    await store.release(id, "b");
    expect((await store.claim(id, "b", HOUR)).status).toBe("in_progress");
    await store.release(id, "a");
    expect(await store.complete(id, "a")).toBe(false);
    expect(await store.claim(id, "b", HOUR)).toEqual({ status: "claimed", attempt: 2 });
  });

  test("a lease that ran out goes to who asks; until then it can still be completed", async () => {
    const store = make();
    const [taken, left] = [newId(), newId()];
    for (const id of [taken, left]) await store.claim(id, "a", 1);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    expect(await store.claim(taken, "b", HOUR)).toEqual({ status: "claimed", attempt: 2 });
    expect(await store.extend(taken, "a", HOUR)).toBe(false);
    expect(await store.complete(taken, "a")).toBe(false);
    expect(await store.extend(left, "a", HOUR)).toBe(true);
    expect((await store.claim(left, "b", HOUR)).status).toBe("in_progress");
    expect(await store.complete(left, "a")).toBe(true);
  });

  test("of many claims at once one wins", async () => {
    const store = make();
    const id = newId();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.claim(id, `token ${n}`, HOUR)),
    );
    expect(claims.filter(({ status }) => status === "claimed")).toHaveLength(1);
  });
}

function inboxOf<Transaction>(
  inbox: PostgresInbox<Transaction>,
  write: (transaction: Transaction, id: string) => PromiseLike<unknown>,
) {
  return {
    inbox,
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

/** By either package. */
async function ask(transaction: object, text: string): Promise<unknown> {
  const { unsafe, query } = transaction as Record<
    string,
    ((text: string) => Promise<unknown>) | undefined
  >;
  return await (unsafe ?? query)?.call(transaction, text);
}

async function pidOf(transaction: object): Promise<number[]> {
  const answer = await ask(transaction, "SELECT pg_backend_pid() AS pid");
  const rows = Array.isArray(answer) ? answer : (answer as { rows: object[] }).rows;
  return rows.map(({ pid }: { pid: number }) => pid);
}
