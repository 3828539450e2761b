import { options, recordOf } from "@fieldmesh/core/internal";
import type { PgPool } from "@fieldmesh/core/internal/database";
import type { Claim, LeasableStore } from "./idempotency-store.ts";
import { openPostgresTable, EVENTS_TABLE, readTable } from "./postgres-table.ts";
import { type CleanUp, inTable, SEVEN_DAYS, type TableOptions } from "./store-options.ts";

const readOptions = /* @__PURE__ */ options("postgresStore", inTable);

/** If a row was deleted between two queries, its event can soon be claimed again. */
const SOON = 1_000;

/**
 * Creates a store in PostgreSQL, for receivers in any number of processes. Pass a `Pool` of `pg`. Create the table with
 * {@link postgresTables}. Claims and marks of events that arrive at the same moment share a statement and a commit.
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
export function postgresStore(client: PgPool, given: TableOptions = {}): LeasableStore & CleanUp {
  const { table = readTable(EVENTS_TABLE), retention = SEVEN_DAYS } = readOptions(given);
  const form = { table, retention, creates: "postgresTables()" };
  const { query, cleanUp } = openPostgresTable("postgresStore", client, form);
  const hasRow = async (sql: string, id: string, ...values: (string | number)[]) =>
    (await query(sql, [id, ...values])).length > 0;
  return {
    remembers: retention,
    uses: (other) => other === client,
    claim: async (id, token, lease): Promise<Claim> => {
      const [row] = await query(claimSql(table), [id, token, lease]);
      const { attempt, done, left, held } = recordOf(row);
      if (attempt !== null && attempt !== undefined)
        return { status: "claimed", attempt: Number(attempt) };
      if (done === true) return { status: "done" };
      const endsIn = Math.max(1, Number(left ?? SOON));
      return { status: "in_progress", endsIn, heldFor: Math.max(0, Number(held ?? 0)) };
    },
    extend: (id, token, lease) => hasRow(extendSql(table), id, token, lease),
    complete: (id, token) => hasRow(completeSql(table), id, token),
    release: async (id, token) => void (await hasRow(releaseSql(table), id, token)),
    forget: async (id, token) => void (await hasRow(forgetSql(table), id, token)),
    cleanUp,
  };
}

const leaseEnd = "clock_timestamp() + $3::float8 * interval '1 millisecond'";

// One statement, so that of two simultaneous claims, one waits for the row and then finds it claimed. The row of another one is as it
// was before the statement.
const claimSql = (table: string) => `
WITH mine AS (
INSERT INTO ${table} AS e (id, token, lease_until) VALUES ($1::text, $2::text, ${leaseEnd})
ON CONFLICT (id) DO UPDATE SET token = $2::text, lease_until = ${leaseEnd}, seen_at = now(),
  attempt = e.attempt + CASE WHEN e.token = $2::text THEN 0 ELSE 1 END
WHERE e.done_at IS NULL
  AND (e.lease_until IS NULL OR e.lease_until <= clock_timestamp() OR e.token = $2::text)
RETURNING e.attempt)
SELECT (SELECT attempt FROM mine)::integer AS attempt, done_at IS NOT NULL AS done,
  ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::float8 AS "left",
  extract(epoch FROM clock_timestamp() - seen_at)::float8 * 1000 AS held
FROM (SELECT 1) AS one LEFT JOIN ${table} ON id = $1::text`;

const extendSql = (table: string) => `
UPDATE ${table} SET lease_until = ${leaseEnd}
WHERE id = $1::text AND token = $2::text AND done_at IS NULL RETURNING 1`;

const completeSql = (table: string) => `
UPDATE ${table} SET done_at = now(), seen_at = now(), token = NULL, lease_until = NULL
WHERE id = $1::text AND token = $2::text AND done_at IS NULL RETURNING 1`;

const forgetSql = (table: string) => `
DELETE FROM ${table} WHERE id = $1::text AND token = $2::text AND done_at IS NULL RETURNING 1`;

const releaseSql = (table: string) => `
UPDATE ${table} SET token = NULL, lease_until = NULL
WHERE id = $1::text AND token = $2::text AND done_at IS NULL RETURNING 1`;
