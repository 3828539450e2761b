import { once } from "node:events";
import { Pool } from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startPostgres } from "../../../tools/servers.ts";
import { wrapDatabase } from "./database.ts";
import { recordCalls } from "./testing/parts.ts";

const server = await startPostgres();
if (server.url === undefined) throw new Error(server.missing);
// One connection: whoever keeps it stops everyone else.
const pool = new Pool({ connectionString: server.url, max: 1 });
pool.on("error", () => {});
afterAll(async () => {
  await pool.end();
  await server.stop();
});
beforeEach(async () => {
  await pool.query("DROP TABLE IF EXISTS sims; CREATE TABLE sims (id INT)");
});

const ids = async () =>
  (await pool.query<{ id: number }>("SELECT id FROM sims ORDER BY id")).rows.map(({ id }) => id);

test("a COMMIT that fails as planned leaves nothing, and its connection is still good", async () => {
  const { calls } = recordCalls({
    query: async (label, call) => {
      if (label === "database: COMMIT") throw new Error(`${label} failed, as planned.`);
      return await call();
    },
  });
  const client = await wrapDatabase(pool, calls).connect();
  await client.query("BEGIN");
  await client.query("INSERT INTO sims VALUES (1)");
  await expect(client.query("COMMIT")).rejects.toThrow("as planned");
  await client.query("ROLLBACK");
  client.release();
  expect([await ids(), pool.totalCount]).toEqual([[], 1]);
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
