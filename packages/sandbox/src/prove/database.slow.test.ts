import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../../../bench/receiver/servers.ts";
import type { Calls } from "./calls.ts";
import { wrapDatabase } from "./database.ts";

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

/** Calls that nothing goes wrong with, which are recorded. */
function recordCalls(own: Partial<Calls> = {}) {
  const labels: string[] = [];
  const ends: (() => void)[] = [];
  const calls: Calls = {
    cross: async (_label, call) => await call(),
    query: async (label, call) => {
      labels.push(label);
      return await call();
    },
    enter: async (label) => {
      labels.push(label);
      return { done: async () => {}, failed: () => {} };
    },
    now: (_label, call) => call(),
    here: (work) => work,
    died: new Promise(() => {}),
    hasDied: false,
    atEnd: (work) => void ends.push(work),
    ...own,
  };
  return { calls, labels, end: () => ends.forEach((work) => work()) };
}

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
