import { options, recordOf } from "@fieldmesh/core/internal";
import { queryOn, sendIn, type SqliteDatabase } from "@fieldmesh/core/internal/database";
import { firstClaimKey, type InboxOrder, ofObject } from "./object-order.ts";
import { OBJECTS_TABLE } from "./postgres-table.ts";
import { type CleanUp, inSqlite, type SqliteOptions } from "./store-options.ts";
import { openTable } from "./sqlite-table.ts";

const readOptions = /* @__PURE__ */ options("sqliteOrder", inSqlite);

/**
 * Creates an order in an SQLite file. Pass the connection of `sqliteInbox` or `sqliteStore`. The order creates its table.
 *
 * With a `sqliteInbox` of the same connection, the object of an event is compared in the transaction of the event, like
 * `postgresOrder` does. With a lease store, it drops the same events as `memoryOrder`. The table has one row for each object, with
 * the time of its newest event and nothing of its payload, and one for each event whose date is ahead. The row stays after the object was deleted, so that an older event
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
  given: SqliteOptions = {},
): InboxOrder & CleanUp {
  const own = readOptions(given);
  const { table, clock, prepare, cleanUp } = openTable("sqliteOrder", database, own, OBJECTS);
  const look = prepare(`SELECT 1 FROM ${table} WHERE id = ? AND newest_ms > ${counted(table)}`);
  const remember = prepare(rememberSql(table));
  const keepFirst = prepare(firstClaimSql(table));
  return {
    isOlder: ofObject(
      false,
      async ({ key, firstClaim, time }) => (await look(key, firstClaim, time)).length > 0,
    ),
    remember: ofObject(undefined, async ({ key, firstClaim, time }) => {
      await remember(key, firstClaim, time, clock.now());
    }),
    firstClaim: async (event, now) => {
      const [row] = await keepFirst(firstClaimKey(event), now, clock.now());
      return Number(recordOf(row)["newest_ms"]);
    },
    joins: (inbox) => inbox.uses?.(database) === true,
    claimObject: ofObject(undefined, async ({ key, firstClaim, time }, transaction) => {
      const query = queryOn({ send: sendIn(transaction) });
      const now = clock.now();
      const newest = await query(claimSql(table), [key, firstClaim, time, now]);
      if (newest.length > 0) return "newest";
      const touched = await query(touchSql(table), [now, key, firstClaim, time]);
      return touched.length > 0 ? "ambiguous" : "older";
    }),
    cleanUp,
  };
}

const OBJECTS = {
  name: OBJECTS_TABLE,
  columns: ["newest_ms REAL NOT NULL", "seen_at REAL NOT NULL"],
  time: "seen_at",
};

/** The time of an event that counts. */
const counted = (table: string) => `coalesce((SELECT newest_ms FROM ${table} WHERE id = ?), ?)`;

const firstClaimSql = (table: string) => `
INSERT INTO ${table} (id, newest_ms, seen_at) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at RETURNING newest_ms`;

const rememberSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms, seen_at) VALUES (?, ${counted(table)}, ?)
ON CONFLICT (id) DO UPDATE SET newest_ms = max(o.newest_ms, excluded.newest_ms), seen_at = excluded.seen_at`;

const claimSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms, seen_at) VALUES (?, ${counted(table)}, ?)
ON CONFLICT (id) DO UPDATE SET newest_ms = excluded.newest_ms, seen_at = excluded.seen_at
WHERE o.newest_ms < excluded.newest_ms RETURNING 1`;

const touchSql = (table: string) =>
  `UPDATE ${table} SET seen_at = ? WHERE id = ? AND newest_ms = ${counted(table)} RETURNING 1`;
