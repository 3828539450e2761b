import { checkOptionNames } from "@fieldmesh/core";
import { type InboxOrder, type ObjectClaim, sightingOf, type Sighting } from "./object-order.ts";
import {
  checkClient,
  type PgQueryable,
  type PostgresJsTransaction,
  type Query,
  queryOf,
} from "./postgres-client.ts";
import { cleanUp } from "./postgres-store.ts";
import { OBJECTS_TABLE, readTable } from "./postgres-tables.ts";
import { readRetention } from "./retention.ts";

/** Options of {@link postgresOrder}. */
export interface PostgresOrderOptions {
  /** The table that you passed to `postgresOrderTable`. @default "fieldmesh_objects" */
  readonly table?: string | undefined;
  /** How many milliseconds an object is remembered, at least 3 days. @default 604_800_000, 7 days */
  readonly retention?: number | undefined;
}

/** An `InboxOrder` with a function to clean it up. */
export interface PostgresOrder extends InboxOrder {
  /** Deletes objects without an event during the retention, and returns how many. Run it once a day. */
  cleanUp(): Promise<number>;
}

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
  options: PostgresOrderOptions = {},
): PostgresOrder {
  checkClient("postgresOrder", client, ["query", "unsafe"]);
  checkOptionNames("postgresOrder", options, ["table", "retention"]);
  const table = readTable(options.table ?? OBJECTS_TABLE);
  const retention = readRetention(options.retention);
  const query = queryOf(client, CREATES);
  return {
    isOlder: async (event) => {
      const seen = sightingOf(event);
      if (seen === undefined) return false;
      return (await query(newerSql(table), [seen.key, seen.time])).length > 0;
    },
    remember: async (event) => {
      const seen = sightingOf(event);
      if (seen !== undefined) await query(rememberSql(table), [seen.key, seen.time]);
    },
    joins: (inbox) => inbox.uses?.(client) === true,
    claimObject: async (event, transaction) => {
      const seen = sightingOf(event);
      if (seen === undefined) return undefined;
      return claim(queryOf(transaction as typeof client, CREATES), table, seen);
    },
    cleanUp: () => cleanUp(query, table, retention),
  };
}

const CREATES = "postgresOrderTable()";

/** Long enough for usual handlers, and shorter than a sender waits for a response. */
const LONGEST_LOCK = "5s";
const LOCK_NOT_AVAILABLE = "55P03";

async function claim(query: Query, table: string, { key, time }: Sighting): Promise<ObjectClaim> {
  // A handler that never ends must not hold the connections of all later events of its object.
  const [before] = await query(
    "SELECT timeout, set_config('lock_timeout', $1::text, true) FROM (SELECT current_setting('lock_timeout') AS timeout OFFSET 0) AS before",
    [LONGEST_LOCK],
  );
  let place: ObjectClaim;
  try {
    const isNewest = (await query(claimSql(table), [key, time])).length > 0;
    // The row is locked now, whether or not it was changed.
    place = isNewest
      ? "newest"
      : (await query(touchSql(table), [key, time])).length > 0
        ? "ambiguous"
        : "older";
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code === LOCK_NOT_AVAILABLE) return "locked";
    throw error;
  }
  await query("SELECT set_config('lock_timeout', $1::text, true)", [before?.["timeout"]]);
  return place;
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
