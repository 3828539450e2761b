import { checkOptionNames, type Clock, systemClock } from "@fieldmesh/core/internal";
import { type InboxOrder, sightingOf } from "./object-order.ts";
import { OBJECTS_TABLE, readTable } from "./postgres-tables.ts";
import { readRetention } from "./retention.ts";
import { prepareCleanUp } from "./sqlite-clean-up.ts";
import { openSqlite, prepareInTransaction, type SqliteDatabase } from "./sqlite-client.ts";

/** Options of {@link sqliteOrder}. */
export interface SqliteOrderOptions {
  /** The table, which the order creates. Two receivers with different handlers need two tables. @default "fieldmesh_objects" */
  readonly table?: string | undefined;
  /** How many milliseconds an object is remembered, at least 3 days. @default 604_800_000, 7 days */
  readonly retention?: number | undefined;
  /** The clock that measures the retention. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** An `InboxOrder` with a function to clean it up. */
export interface SqliteOrder extends InboxOrder {
  /** Deletes objects without an event during the retention, and returns how many. Run it once a day. */
  cleanUp(): Promise<number>;
}

/**
 * Creates an order in an SQLite file. Pass the connection of `sqliteInbox` or `sqliteStore`. The order creates its table.
 *
 * With a `sqliteInbox` of the same connection, the object of an event is compared in the transaction of the event, like
 * `postgresOrder` does. With a lease store, it drops the same events as `memoryOrder`. The table has one row for each object, with
 * the time of its newest event and nothing of its payload. The row stays after the object was deleted, so that an older event
 * does not bring it back.
 *
 * @example
 * ```ts
 * const inbox = sqliteInbox(database);
 * const receive = createReceiver({ secret, store: inbox, order: sqliteOrder(database), handlers });
 * ```
 */
export function sqliteOrder(
  database: SqliteDatabase,
  options: SqliteOrderOptions = {},
): SqliteOrder {
  checkOptionNames("sqliteOrder", options, ["table", "retention", "clock"]);
  const { clock = systemClock } = options;
  const table = readTable(options.table ?? OBJECTS_TABLE);
  const retention = readRetention(options.retention);
  const prepare = openSqlite("sqliteOrder", database, createTable(table));
  const look = prepare(`SELECT 1 FROM ${table} WHERE id = ? AND newest_ms > ?`);
  const remember = prepare(rememberSql(table));
  const cleanUp = prepareCleanUp(prepare, table, "seen_at < ?");
  // Within the transaction of the inbox, which has taken its turn.
  const claim = prepareInTransaction(database, claimSql(table));
  const touch = prepareInTransaction(
    database,
    `UPDATE ${table} SET seen_at = ? WHERE id = ? AND newest_ms = ? RETURNING 1`,
  );
  return {
    isOlder: async (event) => {
      const seen = sightingOf(event);
      return seen !== undefined && (await look(seen.key, seen.time)).length > 0;
    },
    remember: async (event) => {
      const seen = sightingOf(event);
      if (seen !== undefined) await remember(seen.key, seen.time, clock.now());
    },
    joins: (inbox) => inbox.uses?.(database) === true,
    claimObject: async (event) => {
      const seen = sightingOf(event);
      if (seen === undefined) return undefined;
      const { key, time } = seen;
      if (claim(key, time, clock.now()).length > 0) return "newest";
      return touch(clock.now(), key, time).length > 0 ? "ambiguous" : "older";
    },
    cleanUp: () => cleanUp(clock.now() - retention),
  };
}

const createTable = (table: string) => `
CREATE TABLE IF NOT EXISTS ${table} (
  id TEXT PRIMARY KEY,
  newest_ms REAL NOT NULL,
  seen_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS "${table.replaceAll('"', "")}_seen_at" ON ${table} (seen_at)`;

const rememberSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms, seen_at) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET newest_ms = max(o.newest_ms, excluded.newest_ms), seen_at = excluded.seen_at`;

const claimSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms, seen_at) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET newest_ms = excluded.newest_ms, seen_at = excluded.seen_at
WHERE o.newest_ms < excluded.newest_ms RETURNING 1`;
