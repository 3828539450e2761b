import { type Clock, systemClock, checkOptionNames, recordOf } from "@fieldmesh/core/internal";
import { checkPayloads, type Payloads } from "./payloads.ts";
import { readKept, toListed } from "./poison-row.ts";
import { LONGEST_LIST, type PoisonStore } from "./poison-store.ts";
import { POISON_TABLE, readTable } from "./postgres-tables.ts";
import { readRetention } from "./retention.ts";
import { prepareCleanUp } from "./sqlite-clean-up.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite-client.ts";

/** Options of {@link sqlitePoison}. */
export interface SqlitePoisonOptions {
  /** How to store payloads, so that events can be run again. @default none is stored */
  readonly payload?: Payloads | undefined;
  /** The table, which the store creates. @default "fieldmesh_poison" */
  readonly table?: string | undefined;
  /** How many milliseconds failures are counted, at least 3 days. @default 604_800_000, 7 days */
  readonly retention?: number | undefined;
  /** The clock for the times in the list. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** A list of failing events with a function to clean it up. */
export interface SqlitePoison extends PoisonStore {
  /** Deletes events that last failed before the retention and were not set aside, and returns how many. Run it once a day. */
  cleanUp(): Promise<number>;
}

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
  options: SqlitePoisonOptions = {},
): SqlitePoison {
  checkOptionNames("sqlitePoison", options, ["payload", "table", "retention", "clock"]);
  checkPayloads("sqlitePoison", options.payload);
  const { clock = systemClock } = options;
  const table = readTable(options.table ?? POISON_TABLE);
  const retention = readRetention(options.retention);
  const prepare = openSqlite("sqlitePoison", database, createTable(table));
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
  // Events that were set aside stay, because their sender has received a 2xx.
  const cleanUp = prepareCleanUp(prepare, table, "aside IS NULL AND seen < ?");

  return {
    payload: options.payload,
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
    cleanUp: () => cleanUp(clock.now() - retention),
  };
}

const COLUMNS = "id, type, attempts, error, first, seen, aside";

const createTable = (table: string) => `
CREATE TABLE IF NOT EXISTS ${table} (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  error TEXT NOT NULL,
  first REAL NOT NULL,
  seen REAL NOT NULL,
  aside REAL,
  attempts INTEGER NOT NULL DEFAULT 1,
  payload TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS "${table.replaceAll('"', "")}_seen" ON ${table} (seen)`;

const failSql = (table: string) => `
INSERT INTO ${table} AS p (id, type, error, first, seen) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET type = excluded.type, error = excluded.error, seen = excluded.seen,
  attempts = p.attempts + 1
RETURNING attempts`;
