import { anything, options, recordOf } from "@fieldmesh/core/internal";
import type { SqliteDatabase } from "@fieldmesh/core/internal/database";
import {
  type PayloadOptions,
  readPayloads,
  type CleanUp,
  readRetention,
  type SqliteOptions,
} from "./store-options.ts";
import { LONGEST_LIST, type PoisonStore, readKept, toListed } from "./poison-store.ts";
import { POISON_TABLE, readTable } from "./postgres-table.ts";
import { openTable } from "./sqlite-table.ts";

const readOptions = /* @__PURE__ */ options<SqliteOptions & PayloadOptions>("sqlitePoison", {
  payload: readPayloads,
  table: readTable,
  retention: readRetention,
  clock: anything,
});

/**
 * Creates a list of failing events in an SQLite file, which may be the file of `sqliteStore`. Pass a `DatabaseSync` of
 * `node:sqlite` on which your own code begins no transaction. The store creates its table.
 *
 * The table has one row for each failing event. With `payload`, the row of an event that was set aside contains its payload,
 * including personal data, until it succeeds or is removed.
 *
 * @example
 * ```ts
 * const poison = { store: sqlitePoison(database, { payload: "withoutSecrets" }), attempts: 5 };
 * ```
 */
export function sqlitePoison(
  database: SqliteDatabase,
  given: SqliteOptions & PayloadOptions = {},
): PoisonStore & CleanUp {
  const own = readOptions(given);
  const { table, clock, prepare, cleanUp } = openTable("sqlitePoison", database, own, FAILURES);
  const fail = prepare(failSql(table));
  const setAside = prepare(
    `UPDATE ${table} SET aside = coalesce(aside, ?), payload = coalesce(payload, ?) WHERE id = ? RETURNING 1`,
  );
  const list = prepare(
    `SELECT ${COLUMNS} FROM ${table} WHERE aside IS NOT NULL ORDER BY aside, id LIMIT ?`,
  );
  const get = prepare(
    `SELECT ${COLUMNS}, payload FROM ${table} WHERE id = ? AND aside IS NOT NULL`,
  );
  const remove = prepare(`DELETE FROM ${table} WHERE id = ? RETURNING 1`);

  return {
    payload: own.payload,
    fail: async ({ id, type, error }) => {
      const now = clock.now();
      const [row] = await fail(id, type, error, now, now);
      return Number(recordOf(row)["attempts"]);
    },
    setAside: async (id, payload) => (await setAside(clock.now(), payload ?? null, id)).length > 0,
    list: async () => (await list(LONGEST_LIST)).map((row) => toListed(readKept(row))),
    get: async (id) => {
      const [row] = await get(id);
      return row && readKept(row);
    },
    remove: async (id) => {
      await remove(id);
    },
    cleanUp,
  };
}

const COLUMNS = "id, type, attempts, error, first, seen, aside";

const FAILURES = {
  name: POISON_TABLE,
  columns: [
    "type TEXT NOT NULL",
    "error TEXT NOT NULL",
    "first REAL NOT NULL",
    "seen REAL NOT NULL",
    "aside REAL",
    "attempts INTEGER NOT NULL DEFAULT 1",
    "payload TEXT",
  ],
  time: "seen",
  // Events that were set aside stay, because their sender has received a 2xx.
  also: "aside IS NULL",
};

const failSql = (table: string) => `
INSERT INTO ${table} AS p (id, type, error, first, seen) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET type = excluded.type, error = excluded.error, seen = excluded.seen,
  attempts = p.attempts + 1
RETURNING attempts`;
