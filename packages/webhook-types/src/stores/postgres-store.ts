import { options, recordOf } from "@fieldmesh/core/internal";
import type { Claim, IdempotencyStore } from "./idempotency-store.ts";
import {
  checkClient,
  queryOf,
  type PgQueryable,
  type PostgresJsTransaction,
  type Query,
} from "./postgres-client.ts";
import { EVENTS_TABLE, readTable } from "./postgres-tables.ts";
import { type CleanUp, inTable, SEVEN_DAYS, type TableOptions } from "./retention.ts";

const readOptions = /* @__PURE__ */ options("postgresStore", inTable);

/** If a row was deleted between two queries, its event can soon be claimed again. */
const SOON = 1_000;

/**
 * Creates a store in PostgreSQL, for receivers in any number of processes. Pass a `Pool` of `pg`, or the result of `postgres()`.
 * Create the table with {@link postgresTables}.
 *
 * The table has one row for each event, with its times and nothing of its payload. All times are those of the database. Handlers
 * run outside of any transaction. If their effects are in this database, `postgresInbox` applies them exactly once.
 *
 * @example
 * ```ts
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL!, connectionTimeoutMillis: 5_000 });
 * pool.on("error", (error) => console.error(error)); // without it, a restart of the database ends the process
 * const store = postgresStore(pool);
 * ```
 */
export function postgresStore(
  client: PgQueryable | PostgresJsTransaction,
  given: TableOptions = {},
): IdempotencyStore & CleanUp {
  checkClient("postgresStore", client, ["query", "unsafe"]);
  const { table = readTable(EVENTS_TABLE), retention = SEVEN_DAYS } = readOptions(given);
  const query = queryOf(client);
  return {
    claim: async (id, token, lease): Promise<Claim> => {
      const [mine] = await query(claimSql(table), [id, token, lease]);
      if (mine !== undefined) return { status: "claimed", attempt: Number(mine["attempt"]) };
      const [other] = await query(lookSql(table), [id]);
      const { done, left } = recordOf(other);
      if (done === true) return { status: "done" };
      return { status: "in_progress", endsIn: Math.max(1, Number(left ?? SOON)) };
    },
    extend: async (id, token, lease) =>
      (await query(extendSql(table), [id, token, lease])).length > 0,
    complete: async (id, token) => (await query(completeSql(table), [id, token])).length > 0,
    release: async (id, token) => {
      await query(releaseSql(table), [id, token]);
    },
    cleanUp: () => cleanUp(query, table, retention),
  };
}

// One statement for millions of rows would hold its locks for minutes.
const BATCH = 10_000;

/** Deletes old rows of a table in batches, and returns how many. `also` is a further condition. */
export async function cleanUp(
  query: Query,
  table: string,
  retention: number,
  also = "true",
): Promise<number> {
  const isOld = `seen_at < now() - $1::float8 * interval '1 millisecond' AND ${also}`;
  // The rows are locked, so that no other process claims an event that is deleted.
  const text = `
WITH old AS (SELECT id FROM ${table} WHERE ${isOld} LIMIT $2::integer FOR UPDATE SKIP LOCKED),
gone AS (DELETE FROM ${table} AS e USING old WHERE e.id = old.id RETURNING 1)
SELECT count(*)::integer AS count FROM gone`;
  let all = 0;
  for (;;) {
    const [row] = await query(text, [retention, BATCH]);
    const count = Number(recordOf(row)["count"] ?? 0);
    all += count;
    if (count < BATCH) return all;
  }
}

const leaseEnd = "clock_timestamp() + $3::float8 * interval '1 millisecond'";

// One statement, so that of two simultaneous claims, one waits for the row and then finds it claimed.
const claimSql = (table: string) => `
INSERT INTO ${table} AS e (id, token, lease_until) VALUES ($1::text, $2::text, ${leaseEnd})
ON CONFLICT (id) DO UPDATE SET token = $2::text, lease_until = ${leaseEnd}, seen_at = now(),
  attempt = e.attempt + CASE WHEN e.token = $2::text THEN 0 ELSE 1 END
WHERE e.done_at IS NULL
  AND (e.lease_until IS NULL OR e.lease_until <= clock_timestamp() OR e.token = $2::text)
RETURNING e.attempt`;

// Result columns have one word, because postgres.js may be configured to rename `is_done`.
const lookSql = (table: string) => `
SELECT done_at IS NOT NULL AS done,
  ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::float8 AS "left"
FROM ${table} WHERE id = $1::text`;

const extendSql = (table: string) => `
UPDATE ${table} SET lease_until = ${leaseEnd}
WHERE id = $1::text AND token = $2::text AND done_at IS NULL RETURNING 1`;

const completeSql = (table: string) => `
UPDATE ${table} SET done_at = now(), seen_at = now(), token = NULL, lease_until = NULL
WHERE id = $1::text AND token = $2::text AND done_at IS NULL RETURNING 1`;

const releaseSql = (table: string) => `
UPDATE ${table} SET token = NULL, lease_until = NULL
WHERE id = $1::text AND token = $2::text AND done_at IS NULL RETURNING 1`;
