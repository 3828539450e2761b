import { options, recordOf } from "@fieldmesh/core/internal";
import { type PgPool, sendAtEnd } from "@fieldmesh/core/internal/database";
import {
  type PayloadOptions,
  readPayloads,
  type CleanUp,
  readRetention,
  SEVEN_DAYS,
  type TableOptions,
} from "./store-options.ts";
import { LONGEST_LIST, type PoisonStore, readKept, toListed } from "./poison-store.ts";
import { openPostgresTable, POISON_TABLE, readTable } from "./postgres-table.ts";

const readOptions = /* @__PURE__ */ options<TableOptions & PayloadOptions>("postgresPoison", {
  payload: readPayloads,
  table: readTable,
  retention: readRetention,
});

/**
 * Creates a list of failing events in PostgreSQL, for receivers in any number of processes. Pass a `Pool` of `pg`. Create the table with `postgresPoisonTable`.
 *
 * The table has one row for each failing event. With `payload`, the row of an event that was set aside contains its payload,
 * including personal data, until it succeeds or is removed.
 *
 * @example
 * ```ts
 * const poison = { store: postgresPoison(pool, { payload: "withoutSecrets" }), attempts: 5 };
 * ```
 */
export function postgresPoison(
  client: PgPool,
  given: TableOptions & PayloadOptions = {},
): PoisonStore & CleanUp {
  const { payload, table = readTable(POISON_TABLE), retention = SEVEN_DAYS } = readOptions(given);
  // Events that were set aside stay, because their sender has received a 2xx.
  const form = { table, retention, creates: "postgresPoisonTable()", also: "aside_at IS NULL" };
  const { query, queryAlone, cleanUp } = openPostgresTable("postgresPoison", client, form);
  return {
    payload,
    fail: async ({ id, type, error }) => {
      const [row] = await query(failSql(table), [id, type, error]);
      return Number(recordOf(row)["attempts"]);
    },
    setAside: async (id, kept) => (await query(setAsideSql(table), [id, kept ?? null])).length > 0,
    list: async () => {
      const rows = await queryAlone(listSql(table), [LONGEST_LIST]);
      return rows.map((row) => toListed(readKept(row)));
    },
    get: async (id) => {
      const [row] = await query(getSql(table), [id]);
      return row && readKept(row);
    },
    remove: async (id) => {
      await query(removeSql(table), [id]);
    },
    removeIn: (id, transaction, inbox) =>
      inbox.uses?.(client) === true &&
      sendAtEnd(transaction, { text: removeSql(table), values: [id], creates: form.creates }),
    cleanUp,
  };
}

const removeSql = (table: string) => `DELETE FROM ${table} WHERE id = $1::text`;

const failSql = (table: string) => `
INSERT INTO ${table} AS p (id, type, error) VALUES ($1::text, $2::text, $3::text)
ON CONFLICT (id) DO UPDATE SET type = $2::text, error = $3::text, seen_at = now(), attempts = p.attempts + 1
RETURNING p.attempts`;

const setAsideSql = (table: string) => `
UPDATE ${table} SET aside_at = coalesce(aside_at, now()), payload = coalesce(payload, $2::text)
WHERE id = $1::text RETURNING 1`;

const COLUMNS = `id, type, attempts, error, ${["first", "seen", "aside"]
  .map((name) => `extract(epoch FROM ${name}_at)::float8 * 1000 AS ${name}`)
  .join(", ")}`;

const listSql = (table: string) => `
SELECT ${COLUMNS} FROM ${table} WHERE aside_at IS NOT NULL ORDER BY aside_at, id LIMIT $1::integer`;

const getSql = (table: string) => `
SELECT ${COLUMNS}, payload FROM ${table} WHERE id = $1::text AND aside_at IS NOT NULL`;
