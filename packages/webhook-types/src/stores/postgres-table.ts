import { mistake, memberOf, recordOf } from "@fieldmesh/core/internal";
import {
  isMissingTable,
  missingTable,
  openPostgres,
  type Postgres,
} from "@fieldmesh/core/internal/database";

export const EVENTS_TABLE = "fieldmesh_events";
export const OBJECTS_TABLE = "fieldmesh_objects";
export const POISON_TABLE = "fieldmesh_poison";

/**
 * Returns the SQL that creates the table of `postgresStore` and `postgresInbox`. Run it with your migrations. It has no effect if
 * the table exists. Both can use the same table. An event is remembered per table, so two receivers with different handlers need
 * two tables.
 *
 * @example
 * ```ts
 * console.log(postgresTables());
 * ```
 */
export function postgresTables(table: string = EVENTS_TABLE): string {
  return createTable(table, [
    "done_at timestamptz",
    "token text",
    "lease_until timestamptz",
    "attempt integer NOT NULL DEFAULT 1",
  ]);
}

/**
 * Returns the SQL that creates the table of `postgresOrder`. Run it with your migrations. It has no effect if the table exists.
 * Two receivers with different handlers need two tables.
 *
 * @example
 * ```ts
 * console.log(postgresOrderTable());
 * ```
 */
export function postgresOrderTable(table: string = OBJECTS_TABLE): string {
  return createTable(table, ["newest_ms double precision NOT NULL"]);
}

/**
 * Returns the SQL that creates the table of `postgresPoison`. Run it with your migrations. It has no effect if the table exists.
 * Two receivers with different handlers need two tables.
 *
 * @example
 * ```ts
 * console.log(postgresPoisonTable());
 * ```
 */
export function postgresPoisonTable(table: string = POISON_TABLE): string {
  return createTable(table, [
    "type text NOT NULL",
    "error text NOT NULL",
    "attempts integer NOT NULL DEFAULT 1",
    "first_at timestamptz NOT NULL DEFAULT now()",
    "aside_at timestamptz",
    "payload text",
  ]);
}

/** Every table has an id and the time of its last event, by which old rows are found. */
function createTable(table: string, columns: readonly string[]): string {
  const name = readTable(table);
  const index = `${table.split(".").pop() ?? table}_seen_at`;
  const all = ["id text PRIMARY KEY", "seen_at timestamptz NOT NULL DEFAULT now()", ...columns];
  // Of processes that start at the same moment, PostgreSQL would let one create the table, and fail the others.
  return `DO $$ BEGIN
PERFORM pg_advisory_xact_lock(hashtext('${table}'));
CREATE TABLE IF NOT EXISTS ${name} (
  ${all.join(",\n  ")}
);
CREATE INDEX IF NOT EXISTS "${index}" ON ${name} (seen_at);
END $$;
`;
}

/** Quotes the name of a table, with or without a schema. Throws a TypeError if it is not a plain name. */
export function readTable(table: unknown): string {
  // At most as long as Postgres allows, including the suffix of the index.
  if (
    typeof table !== "string" ||
    !/^(?:[a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,50}$/.test(table)
  )
    throw mistake("table must be a plain name in lower case, such as fieldmesh_events.");
  return table
    .split(".")
    .map((part) => `"${part}"`)
    .join(".");
}

// One statement for millions of rows would hold its locks for minutes.
const BATCH = 10_000;

/** The table of a store in PostgreSQL. */
interface PostgresTable extends Postgres {
  /** Awaits work whose error then says how to create the table, if it is missing. */
  readonly explained: <T>(work: Promise<T>) => Promise<T>;
  /** Deletes old rows in batches, and returns how many. */
  readonly cleanUp: () => Promise<number>;
}

interface TableForm {
  readonly table: string;
  readonly retention: number;
  /** Returns the SQL that creates the table. */
  readonly creates: string;
  /** A further condition for rows to delete. */
  readonly also?: string;
}

/** Opens the table of a store. Its errors say how to create the table if it is missing. */
export function openPostgresTable(
  owner: string,
  client: unknown,
  { table, retention, creates, also = "true" }: TableForm,
): PostgresTable {
  const { query, queryAlone, transaction } = openPostgres(owner, client);
  const name = table.replaceAll('"', "");
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      // A handler may have its own tables.
      const isOurs = isMissingTable(error) && String(memberOf(error, "message")).includes(name);
      throw isOurs ? new Error(missingTable(error, creates), { cause: error }) : error;
    }
  };
  // The rows are locked, so that no other process claims an event that is deleted.
  const isOld = `seen_at < now() - $1::float8 * interval '1 millisecond' AND ${also}`;
  const deleteSome = `
WITH old AS (SELECT id FROM ${table} WHERE ${isOld} LIMIT $2::integer FOR UPDATE SKIP LOCKED),
gone AS (DELETE FROM ${table} AS e USING old WHERE e.id = old.id RETURNING 1)
SELECT count(*)::integer AS count FROM gone`;

  return {
    explained,
    query: (...statement) => explained(query(...statement)),
    queryAlone: (...statement) => explained(queryAlone(...statement)),
    transaction: (...work) => explained(transaction(...work)),
    async cleanUp() {
      let all = 0;
      for (;;) {
        const [row] = await explained(queryAlone(deleteSome, [retention, BATCH]));
        const count = Number(recordOf(row)["count"] ?? 0);
        all += count;
        if (count < BATCH) return all;
      }
    },
  };
}

/** Long enough for usual handlers, and shorter than a sender waits for a response. */
const LONGEST_LOCK = "5s";
const LOCK_NOT_AVAILABLE = "55P03";

/** Limits how long the next statements of a transaction wait for locks. */
export const LIMIT_LOCKS = `SELECT set_config('fieldmesh.lock_timeout', current_setting('lock_timeout'), true), set_config('lock_timeout', '${LONGEST_LOCK}', true)`;
/** Restores the limit of the handlers. */
export const RESTORE_LOCKS =
  "SELECT set_config('lock_timeout', current_setting('fieldmesh.lock_timeout'), true)";

/** Whether another transaction has held a lock for longer than the limit. */
export function isLocked(error: unknown): boolean {
  return memberOf(error, "code") === LOCK_NOT_AVAILABLE;
}
