import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../../tools/servers.ts";
import { postgresOrderTable, postgresPoisonTable, postgresTables } from "../src/stores/index.ts";

const PROCESSES = 8;
const ROUNDS = 10;

const postgres = await startPostgres();
const clients: pg.Client[] = [];

afterAll(async () => {
  for (const client of clients) await client.end();
  if (postgres.url !== undefined) await postgres.stop();
});

const tables = { postgresTables, postgresOrderTable, postgresPoisonTable };

describe.each(Object.entries(tables))("%s", (name, sqlOf) => {
  test("processes that start at the same moment all have the table", async (context) => {
    if (postgres.url === undefined) return context.skip(postgres.missing);
    while (clients.length < PROCESSES) {
      const client = new pg.Client({ connectionString: postgres.url });
      clients.push(client);
      await client.connect();
    }
    for (let round = 0; round < ROUNDS; round++) {
      const sql = sqlOf(`${name.toLowerCase()}_${round}`);
      const created = await Promise.allSettled(clients.map((client) => client.query(sql)));
      expect(created.filter(({ status }) => status === "rejected")).toEqual([]);
    }
  });
});
