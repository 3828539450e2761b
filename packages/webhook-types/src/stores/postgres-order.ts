import { options, recordOf } from "@fieldmesh/core/internal";
import {
  isStorable,
  type LentSql,
  type PgPool,
  queryOn,
  sendIn,
} from "@fieldmesh/core/internal/database";
import {
  firstClaimKey,
  type InboxOrder,
  type ObjectClaim,
  ofObject,
  type Sighting,
} from "./object-order.ts";
import {
  openPostgresTable,
  isLocked,
  LIMIT_LOCKS,
  RESTORE_LOCKS,
  OBJECTS_TABLE,
  readTable,
} from "./postgres-table.ts";
import { type CleanUp, inTable, SEVEN_DAYS, type TableOptions } from "./store-options.ts";

const readOptions = /* @__PURE__ */ options("postgresOrder", inTable);

/**
 * Creates an order in PostgreSQL, for receivers in any number of processes. Pass a `Pool` of `pg`. Create the table with `postgresOrderTable`.
 *
 * With a `postgresInbox` of the same client, the object of an event is locked and compared in the transaction of the event. So
 * what handlers write about an object is never older than what it replaces, and two events of one object are handled one after the
 * other. An event waits 5 s at most for another one of its object, and is then `in_progress`. Two events of the same time have no
 * order: both are handled, and `order` of the context of the second one is `"ambiguous"`. With a lease store, it drops the same
 * events as `memoryOrder`.
 *
 * The table has one row for each object, with the time of its newest event and nothing of its payload, and one for each event whose
 * date is ahead. The row stays after the object was deleted, so that an older event does not bring it back.
 *
 * @example
 * ```ts
 * const inbox = postgresInbox(pool);
 * const receive = createReceiver({ secret, store: inbox, order: postgresOrder(pool), handlers });
 * ```
 */
export function postgresOrder(client: PgPool, given: TableOptions = {}): InboxOrder & CleanUp {
  const { table = readTable(OBJECTS_TABLE), retention = SEVEN_DAYS } = readOptions(given);
  const form = { table, retention, creates: "postgresOrderTable()" };
  const { query, explained, cleanUp } = openPostgresTable("postgresOrder", client, form);
  return {
    isOlder: ofObject(
      false,
      async (seen) => (await query(newerSql(table), valuesOf(seen))).length > 0,
    ),
    remember: ofObject(undefined, async (seen) => {
      await query(rememberSql(table), valuesOf(seen));
    }),
    firstClaim: async (event, now) => {
      const [row] = await query(firstClaimSql(table), [firstClaimKey(event), now]);
      return Number(recordOf(row)["newest_ms"]);
    },
    joins: (inbox) => inbox.uses?.(client) === true,
    claimObject: ofObject(undefined, (seen, transaction) =>
      explained(claim(sendIn(transaction), table, seen)),
    ),
    cleanUp,
  };
}

/** Claims an object with a limit for its locks: a handler that never ends must not hold the connections of all later events. */
async function claim(send: LentSql["send"], table: string, seen: Sighting): Promise<ObjectClaim> {
  const values = valuesOf(seen);
  try {
    const [, claimed] = await send([
      { text: LIMIT_LOCKS },
      { text: claimSql(table), values },
      { text: RESTORE_LOCKS },
    ]);
    if (claimed !== undefined && claimed.rows.length > 0) return "newest";
  } catch (error) {
    if (isLocked(error)) return "locked";
    throw error;
  }
  // A row with the same time is locked now, although it was not changed.
  const touched = await queryOn({ send })(touchSql(table), values);
  return touched.length > 0 ? "ambiguous" : "older";
}

/** PostgreSQL cannot look for every id. The time of such an event counts as the event says. */
function valuesOf({ key, time, firstClaim }: Sighting) {
  return [key, time, isStorable(firstClaim) ? firstClaim : null];
}

/** The time of an event that counts. */
const counted = (table: string) =>
  `coalesce((SELECT newest_ms FROM ${table} WHERE id = $3::text), $2::float8)`;

const firstClaimSql = (table: string) => `
INSERT INTO ${table} (id, newest_ms) VALUES ($1::text, $2::float8)
ON CONFLICT (id) DO UPDATE SET seen_at = now() RETURNING newest_ms`;

const newerSql = (table: string) => `
SELECT 1 FROM ${table} WHERE id = $1::text AND newest_ms > ${counted(table)}`;

const rememberSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms) VALUES ($1::text, ${counted(table)})
ON CONFLICT (id) DO UPDATE SET newest_ms = greatest(o.newest_ms, excluded.newest_ms), seen_at = now()`;

// `DO UPDATE` locks the row before it looks at the condition, and sees what the transaction that held the row has committed. The time
// of an object never goes back, so an event is older if a newer one was committed, and needs no lock.
const claimSql = (table: string) => `
INSERT INTO ${table} AS o (id, newest_ms) SELECT $1::text, ${counted(table)}
WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE id = $1::text AND newest_ms > ${counted(table)})
ON CONFLICT (id) DO UPDATE SET newest_ms = excluded.newest_ms, seen_at = now()
WHERE o.newest_ms < excluded.newest_ms RETURNING 1`;

const touchSql = (table: string) => `
UPDATE ${table} SET seen_at = now() WHERE id = $1::text AND newest_ms = ${counted(table)} RETURNING 1`;
