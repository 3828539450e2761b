import { type Clock, systemClock, checkOptionNames } from "@fieldmesh/core";
import { checkPayloads, type Payloads } from "./payloads.ts";
import { readKept, toListed } from "./poison-row.ts";
import { LONGEST_LIST, type PoisonStore } from "./poison-store.ts";
import { POISON_TABLE, readTable } from "./postgres-tables.ts";
import { readRetention } from "./retention.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite-client.ts";

/** Options of {@link sqlitePoison}. */
export interface SqlitePoisonOptions {
  /** How payloads are kept, so that events can be run again. @default none is kept */
  readonly payload?: Payloads | undefined;
  /** The store creates it. @default "fieldmesh_poison" */
  readonly table?: string | undefined;
  /** For how many milliseconds failures are counted, 3 days at least. @default 604_800_000, 7 days */
  readonly retention?: number | undefined;
  /** The clock for the times in the list. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** A list of failing events with its clean-up. */
export interface SqlitePoison extends PoisonStore {
  /** Deletes what failed longer ago than the retention and was not set aside, and returns how many. Run it once a day. */
  cleanUp(): Promise<number>;
}

/**
 * Creates a list of failing events in a file of SQLite, which may be that of `sqliteStore`. Pass a `DatabaseSync` of
 * `node:sqlite` on which your own code begins no transaction. The store creates its table.
 *
 * One row for each failing event. With `payload`, the row of one that was set aside has its payload, with the personal data
 * in it, until it was run again or removed.
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
  // What was set aside stays, because its sender has had a 2xx.
  const cleanUp = prepare(`DELETE FROM ${table} WHERE aside IS NULL AND seen < ? RETURNING 1`);

  // Async, so that what the database throws is a rejection.
  return {
    payload: options.payload,
    fail: async ({ id, type, error }) => {
      const now = clock.now();
      const [row] = fail(id, type, error, now, now);
      return Number(row?.["attempts"]);
    },
    setAside: async (id, payload) => setAside(clock.now(), payload ?? null, id).length > 0,
    list: async () => list(LONGEST_LIST).map((row) => toListed(readKept(row))),
    get: async (id) => {
      const [row] = get(id);
      return row && readKept(row);
    },
    remove: async (id) => {
      remove(id);
    },
    cleanUp: async () => cleanUp(clock.now() - retention).length,
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
) WITHOUT ROWID`;

const failSql = (table: string) => `
INSERT INTO ${table} AS p (id, type, error, first, seen) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET type = excluded.type, error = excluded.error, seen = excluded.seen,
  attempts = p.attempts + 1
RETURNING attempts`;
