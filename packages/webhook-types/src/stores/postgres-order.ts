import { checkOptionNames } from "@fieldmesh/core";
import { type ObjectOrder, sightingOf } from "./object-order.ts";
import {
  checkClient,
  type PgQueryable,
  type PostgresJsTransaction,
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

/** An `ObjectOrder` with a function to clean it up. */
export interface PostgresOrder extends ObjectOrder {
  /** Deletes objects without an event during the retention, and returns how many. Run it once a day. */
  cleanUp(): Promise<number>;
}

/**
 * Creates an `ObjectOrder` in PostgreSQL, for receivers in any number of processes. It drops the same events as `memoryOrder`. Pass a
 * `Pool` of `pg`, or the result of `postgres()`. Create the table with `postgresOrderTable`.
 *
 * The table has one row for each object, with the time of its newest event and nothing of its payload.
 *
 * @example
 * ```ts
 * createReceiver({ secret, store: postgresInbox(pool), order: postgresOrder(pool), handlers });
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
  const query = queryOf(client, "postgresOrderTable()");
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
    cleanUp: () => cleanUp(query, table, retention),
  };
}

const newerSql = (table: string) => `
SELECT 1 FROM ${table} WHERE id = $1::text AND newest_ms > $2::float8`;

const rememberSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms) VALUES ($1::text, $2::float8)
ON CONFLICT (id) DO UPDATE SET newest_ms = greatest(o.newest_ms, $2::float8), seen_at = now()`;
