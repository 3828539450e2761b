import { options } from "@fieldmesh/core/internal";
import { type InboxOrder, type ObjectClaim, ofObject, type Sighting } from "./object-order.ts";
import {
  checkClient,
  type PgQueryable,
  type PostgresJsTransaction,
  type Query,
  queryOf,
} from "./postgres-client.ts";
import { withLockTimeout } from "./postgres-locks.ts";
import { cleanUp } from "./postgres-store.ts";
import { OBJECTS_TABLE, readTable } from "./postgres-tables.ts";
import { type CleanUp, inTable, SEVEN_DAYS, type TableOptions } from "./retention.ts";

const readOptions = /* @__PURE__ */ options("postgresOrder", inTable);

/**
 * Creates an order in PostgreSQL, for receivers in any number of processes. Pass a `Pool` of `pg`, or the result of `postgres()`.
 * Create the table with `postgresOrderTable`.
 *
 * With a `postgresInbox` of the same client, the object of an event is locked and compared in the transaction of the event. So
 * what handlers write about an object is never older than what it replaces, and two events of one object are handled one after the
 * other. An event waits 5 s at most for another one of its object, and is then `in_progress`. Two events of the same time have no
 * order: both are handled, and `order` of the context of the second one is `"ambiguous"`. With a lease store, it drops the same
 * events as `memoryOrder`.
 *
 * The table has one row for each object, with the time of its newest event and nothing of its payload. The row stays after the
 * object was deleted, so that an older event does not bring it back.
 *
 * @example
 * ```ts
 * const inbox = postgresInbox(pool);
 * const receive = createReceiver({ secret, store: inbox, order: postgresOrder(pool), handlers });
 * ```
 */
export function postgresOrder(
  client: PgQueryable | PostgresJsTransaction,
  given: TableOptions = {},
): InboxOrder & CleanUp {
  checkClient("postgresOrder", client, ["query", "unsafe"]);
  const { table = readTable(OBJECTS_TABLE), retention = SEVEN_DAYS } = readOptions(given);
  const query = queryOf(client, CREATES);
  return {
    isOlder: ofObject(
      false,
      async ({ key, time }) => (await query(newerSql(table), [key, time])).length > 0,
    ),
    remember: ofObject(undefined, async ({ key, time }) => {
      await query(rememberSql(table), [key, time]);
    }),
    joins: (inbox) => inbox.uses?.(client) === true,
    claimObject: ofObject(undefined, (seen, transaction) =>
      claim(queryOf(transaction as typeof client, CREATES), table, seen),
    ),
    cleanUp: () => cleanUp(query, table, retention),
  };
}

const CREATES = "postgresOrderTable()";

async function claim(query: Query, table: string, { key, time }: Sighting): Promise<ObjectClaim> {
  const newer = {
    sql: `EXISTS (SELECT 1 FROM ${table} WHERE id = $1::text AND newest_ms > $2::text::float8)`,
    values: [key, String(time)],
  };
  return withLockTimeout(query, newer, async () => {
    if ((await query(claimSql(table), [key, time])).length > 0) return "newest";
    // The row is locked now, although it was not changed.
    return (await query(touchSql(table), [key, time])).length > 0 ? "ambiguous" : "older";
  });
}

const newerSql = (table: string) => `
SELECT 1 FROM ${table} WHERE id = $1::text AND newest_ms > $2::float8`;

const rememberSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms) VALUES ($1::text, $2::float8)
ON CONFLICT (id) DO UPDATE SET newest_ms = greatest(o.newest_ms, $2::float8), seen_at = now()`;

// `DO UPDATE` locks the row before it looks at the condition, and sees what the transaction that held the row has committed.
const claimSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms) VALUES ($1::text, $2::float8)
ON CONFLICT (id) DO UPDATE SET newest_ms = $2::float8, seen_at = now() WHERE o.newest_ms < $2::float8
RETURNING 1`;

const touchSql = (table: string) => `
UPDATE ${table} SET seen_at = now() WHERE id = $1::text AND newest_ms = $2::float8 RETURNING 1`;
