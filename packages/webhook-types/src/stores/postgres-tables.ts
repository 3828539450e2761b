import { mistake } from "@fieldmesh/core/internal";

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
