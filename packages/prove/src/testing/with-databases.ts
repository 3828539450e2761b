import { Pool } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { startPostgres } from "../../../../tools/servers.ts";
import { ProofError } from "../proof-error.ts";
import { proveReceiver, type ProveOptions } from "../prove-receiver.ts";
import type { Build } from "../subject.ts";
import {
  createTables,
  postgresTable,
  sqliteTable,
  withPostgres,
  withSqlite,
} from "./own-database.ts";

/** Starts PostgreSQL for the tests of a file, and returns how a receiver is given each database of its own. */
export async function startDatabases() {
  const server = await startPostgres();
  if (server.url === undefined) throw new Error(server.missing);
  const pool = new Pool({
    connectionString: server.url,
    connectionTimeoutMillis: 10_000,
    max: 20,
  });
  pool.on("error", () => {});
  beforeAll(() => createTables(pool));
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });
  return {
    SQLite: { with: withSqlite, correct: { "a table, an inbox and an order": sqliteTable } },
    PostgreSQL: {
      with: (build: Build) => withPostgres(build, pool),
      correct: { "a table, an inbox and an order": postgresTable(pool) },
    },
  } as const;
}

const events = ["sim.activated", "sim.suspended"] as const;

/** Searches until a rule is broken, or fails. */
export async function expectFound(build: Build, options: Partial<ProveOptions>): Promise<void> {
  const proof = proveReceiver(build, { events, ...options });
  await expect(proof).rejects.toBeInstanceOf(ProofError);
}

/** Fails if a rule is broken. */
export async function expectCorrect(build: Build, options: Partial<ProveOptions>): Promise<void> {
  await proveReceiver(build, { events, ...options });
}
