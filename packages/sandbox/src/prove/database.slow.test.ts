import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../../../bench/receiver/servers.ts";
import { wrapDatabase } from "./database.ts";
import { recordCalls } from "./testing/record-calls.ts";

const server = await startPostgres();
if (server.url === undefined) throw new Error(server.missing);
const { url } = server;
// One connection: whoever keeps it stops everyone else.
const sql = postgres(url, { onnotice: () => {}, max: 1 });
const pool = new Pool({ connectionString: url, max: 1 });
afterAll(async () => {
  await Promise.all([pool.end(), sql.end()]);
  await server.stop();
});
beforeEach(() => sql.unsafe("DROP TABLE IF EXISTS sims; CREATE TABLE sims (id INT)"));

const ids = async () => (await sql`SELECT id FROM sims ORDER BY id`).map(({ id }) => id as number);

test("each query of postgres.js is a call with its first words, and begins once", async () => {
  const { calls, labels } = recordCalls();
  const wrapped = wrapDatabase(sql, calls);
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-database-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "insert.sql");
  writeFileSync(file, "INSERT INTO sims VALUES (4)");

  const first = wrapped`INSERT INTO sims VALUES (${1})`;
  expect(labels).toEqual([]);
  await Promise.all([first, first.catch(() => {}), first.finally(() => {})]);
  await wrapped.unsafe("INSERT INTO sims VALUES (2)").simple();
  await wrapped`INSERT INTO ${wrapped("sims")} VALUES (3)`.execute();
  await wrapped.file(file);
  expect(await wrapped`SELECT id FROM sims ORDER BY id`.values()).toEqual([[1], [2], [3], [4]]);
  expect(labels).toEqual([
    "database: INSERT INTO sims",
    "database: INSERT INTO sims",
    "database: INSERT INTO",
    "database: file",
    "database: SELECT id",
  ]);
  await expect(wrapped`SELECT nothing`.catch(() => "caught")).resolves.toBe("caught");
  await expect(wrapped.begin(async (lent) => await lent`SELECT nothing`)).rejects.toThrow(
    "nothing",
  );
});

test("a savepoint that fails takes back its own queries, and the transaction commits", async () => {
  const { calls, labels } = recordCalls();
  await wrapDatabase(sql, calls).begin(async (transaction) => {
    await transaction`INSERT INTO sims VALUES (1)`;
    await transaction
      .savepoint(async (inner) => {
        await inner`INSERT INTO sims VALUES (2)`;
        throw new Error("the handler failed");
      })
      .catch(() => {});
    await transaction.savepoint("named", (inner) => inner`INSERT INTO sims VALUES (3)`);
  });
  expect(await ids()).toEqual([1, 3]);
  const insert = "database: INSERT INTO sims";
  expect(labels).toEqual(["database: BEGIN", insert, insert, insert, "database: COMMIT"]);
});

test("a reserved connection is returned once, by its user", async () => {
  const { calls, labels, end } = recordCalls();
  const reserved = await wrapDatabase(sql, calls).reserve();
  await reserved`INSERT INTO sims VALUES (1)`;
  reserved.release();
  reserved.release();
  end();
  expect(await ids()).toEqual([1]);
  expect(labels).toEqual(["database: reserve", "database: INSERT INTO sims"]);
});

test("the transaction of a reserved connection is rolled back when its process ends", async () => {
  const { calls, end } = recordCalls();
  const reserved = await wrapDatabase(sql, calls).reserve();
  await reserved.unsafe("BEGIN");
  await reserved`INSERT INTO sims VALUES (1)`;
  end();
  expect(await ids()).toEqual([]);
});

test("a connection that its process never received is returned", async () => {
  const lost = recordCalls({
    query: async (_label, call) => {
      await call();
      throw new Error("The response is lost, as planned.");
    },
  });
  await expect(wrapDatabase(sql, lost.calls).reserve()).rejects.toThrow("as planned");
  expect(await ids()).toEqual([]);
  await expect(wrapDatabase(pool, lost.calls).connect()).rejects.toThrow("as planned");
  expect((await pool.query("SELECT 1")).rowCount).toBe(1);
});

test("a client of pg that arrives after the end of its process is returned", async () => {
  const { calls, labels } = recordCalls({ hasDied: true });
  await wrapDatabase(pool, calls).connect();
  expect(labels).toEqual(["database: connect"]);
  expect((await pool.query("SELECT 1")).rowCount).toBe(1);
});

test("a query of pg with a callback is passed on", async () => {
  const { calls, labels } = recordCalls();
  const wrapped = wrapDatabase(pool, calls);
  const rows = await new Promise((resolve) => {
    wrapped.query("SELECT 1 AS one", (_error, result) => resolve(result.rows));
  });
  expect([rows, labels]).toEqual([[{ one: 1 }], []]);
});

test("what is no query of postgres.js, and what it has besides queries, is passed on", async () => {
  const { calls, labels } = recordCalls();
  const wrapped = wrapDatabase(sql, calls);
  expect(wrapped.options).toBe(sql.options);
  expect(wrapped.typed(1, 23)).toEqual(sql.typed(1, 23));
  await wrapped`INSERT INTO sims ${wrapped([{ id: 1 }, { id: 2 }])}`;
  const list = wrapped`SELECT id FROM sims WHERE id IN ${wrapped([2, 3])}`;
  expect(await list).toEqual([{ id: 2 }]);
  // A part of another query is not a call.
  expect(await wrapped`SELECT id FROM sims ${wrapped`WHERE id = ${1}`}`).toEqual([{ id: 1 }]);
  expect(labels).toEqual([
    "database: INSERT INTO sims",
    "database: SELECT id",
    "database: SELECT id",
  ]);
});

test("a query of postgres.js is still a call after each of its methods", async () => {
  const { calls, labels } = recordCalls();
  const wrapped = wrapDatabase(sql, calls);
  const one = "SELECT 1 AS one";
  const [[bytes]] = (await wrapped.unsafe(one).raw()) as unknown as [[Uint8Array]];
  expect(Buffer.from(bytes).toString()).toBe("1");
  expect(await wrapped.unsafe(one).simple().values()).toEqual([[1]]);
  const begun = wrapped.unsafe(one).execute();
  expect(labels).toHaveLength(3);
  expect(await begun).toEqual([{ one: 1 }]);
  expect(await wrapped.unsafe(one).then((rows) => rows.length)).toBe(1);
  expect(await wrapped.unsafe("SELECT $1::int AS two", [2])).toEqual([{ two: 2 }]);
  const label = "database: SELECT 1";
  expect(labels).toEqual([label, label, label, label, "database: SELECT"]);
});

test("a query that fails rejects for all who wait for it, and none has to", async () => {
  const { calls, labels } = recordCalls();
  const wrapped = wrapDatabase(sql, calls);
  const failing = wrapped`SELECT nothing`.execute();
  const seen: string[] = [];
  // The only connection has done it.
  await ids();
  await failing.then(
    () => seen.push("returned"),
    () => seen.push("then"),
  );
  await failing.catch(() => seen.push("catch"));
  await failing.finally(() => seen.push("finally")).catch(() => {});
  expect([seen, labels.length]).toEqual([["then", "catch", "finally"], 1]);
});

test("a transaction has the options and the result of its user", async () => {
  const { calls, labels, exits } = recordCalls();
  const wrapped = wrapDatabase(sql, calls);
  const insert = wrapped.begin("read only", (lent) => lent`INSERT INTO sims VALUES (1)`);
  await expect(insert).rejects.toThrow("read-only transaction");
  expect(labels).toEqual(["database: BEGIN", "database: INSERT INTO sims"]);
  expect(exits).toEqual([]);
  expect(await wrapped.begin(async () => "result")).toBe("result");
  expect([labels.slice(2), exits]).toEqual([["database: BEGIN", "database: COMMIT"], ["done"]]);
});

test("a commit that fails takes back the transaction, and ends its query", async () => {
  await sql.unsafe("ALTER TABLE sims ADD UNIQUE (id) DEFERRABLE INITIALLY DEFERRED");
  const { calls, labels, exits } = recordCalls();
  const twice = wrapDatabase(sql, calls).begin(async (lent) => {
    await lent`INSERT INTO sims VALUES (1)`;
    await lent`INSERT INTO sims VALUES (1)`;
  });
  await expect(twice).rejects.toThrow("duplicate key");
  expect([labels.at(-1), exits]).toEqual(["database: COMMIT", ["failed"]]);
  expect(await ids()).toEqual([]);
});

test.each(["BEGIN", "COMMIT"])("a %s that fails as planned leaves nothing", async (which) => {
  const planned = new Error(`${which} failed, as planned.`);
  const calls = recordCalls({
    ...(which === "BEGIN" && { query: () => Promise.reject(planned) }),
    enter: () => Promise.reject(planned),
  }).calls;
  let isBegun = false;
  const work = wrapDatabase(sql, calls).begin(async () => {
    isBegun = true;
  });
  await expect(work).rejects.toThrow(planned);
  expect([isBegun, await ids()]).toEqual([which === "COMMIT", []]);
});

test("the end of a process takes back its transaction, and nobody hears of it", async () => {
  const died = Promise.withResolvers<never>();
  const state = { hasDied: false };
  const { calls, exits } = recordCalls({ died: died.promise });
  Object.defineProperty(calls, "hasDied", { get: () => state.hasDied });
  const seen: string[] = [];
  const transaction = wrapDatabase(sql, calls).begin(async (lent) => {
    await lent`INSERT INTO sims VALUES (1)`;
    state.hasDied = true;
    died.reject(new Error("The process has ended."));
    await new Promise(() => {});
  });
  transaction.then(
    () => seen.push("returned"),
    () => seen.push("rejected"),
  );
  // The connection is free again.
  expect(await ids()).toEqual([]);
  expect([seen, exits]).toEqual([[], []]);
});

test("what a transaction or a savepoint calls back belongs to its delivery", async () => {
  let entered = 0;
  const { calls } = recordCalls({
    here:
      (work) =>
      (...all) => {
        entered++;
        return work(...all);
      },
  });
  await wrapDatabase(sql, calls).begin(async (lent) => {
    expect(entered).toBe(1);
    await lent.savepoint(async (inner) => void (await inner`INSERT INTO sims VALUES (1)`));
    expect(entered).toBe(2);
  });
  expect(await ids()).toEqual([1]);
});

test("a reserved connection has what the client has, and is released without a rollback", async () => {
  const { calls, end } = recordCalls();
  const reserved = await wrapDatabase(sql, calls).reserve();
  expect(await reserved.unsafe("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await reserved`BEGIN`;
  await reserved`INSERT INTO sims VALUES (1)`;
  await reserved`COMMIT`;
  reserved.release();
  expect(await ids()).toEqual([1]);
  // Another one has the only connection now, in a transaction that the end of this process must not touch.
  await sql.begin(async (other) => {
    await other`INSERT INTO sims VALUES (2)`;
    end();
    await other`INSERT INTO sims VALUES (3)`;
  });
  expect(await ids()).toEqual([1, 2, 3]);
});

test("a process that ends returns its reserved connection once", async () => {
  const { calls, end } = recordCalls();
  const reserved = await wrapDatabase(sql, calls).reserve();
  end();
  end();
  expect(await ids()).toEqual([]);
  reserved.release();
  expect(await ids()).toEqual([]);
});

test("a reservation that fails has nothing to return", async () => {
  const planned = new Error("reserve failed, as planned.");
  const { calls } = recordCalls({ query: () => Promise.reject(planned) });
  await expect(wrapDatabase(sql, calls).reserve()).rejects.toThrow(planned);
});

test("a client of pg is returned once, and a process that ends closes those that it has", async () => {
  const { calls, labels, end } = recordCalls();
  const wrapped = wrapDatabase(pool, calls);
  const client = await wrapped.connect();
  await client.query({ text: "INSERT INTO sims VALUES ($1)", values: [1] });
  client.release();
  client.release();
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  const second = await wrapped.connect();
  await second.query("BEGIN");
  await second.query("INSERT INTO sims VALUES (2)");
  const removed = once(pool, "remove");
  end();
  expect(pool.totalCount).toBe(0);
  await removed;
  second.release();
  expect(await ids()).toEqual([1]);
  expect((await wrapped.query("SELECT id FROM sims")).rows).toEqual([{ id: 1 }]);
  expect(labels).toEqual([
    "database: connect",
    "database: INSERT INTO sims",
    "database: connect",
    "database: BEGIN",
    "database: INSERT INTO sims",
    "database: SELECT id",
  ]);
});
