import { mistake } from "@fieldmesh/core/internal";
import { NAME } from "./share-through.ts";

/** A pool of `pg`. */
export interface PostgresStoreClient {
  query(query: { text: string; values?: unknown[] }): Promise<unknown>;
}

/**
 * Returns the SQL that creates the table of `postgresRateLimit`. Run it with your migrations, and give the role of the pool
 * the rights to select, insert, update and delete. It has no effect if the table exists.
 *
 * @throws A TypeError for a name that is empty or has a quotation mark
 * @example
 * ```ts
 * console.log(postgresRateLimitTable());
 * ```
 */
export function postgresRateLimitTable(name: string = NAME): string {
  if (typeof name !== "string" || !/^[^"\0]+$/.test(name))
    throw mistake("postgresRateLimitTable requires a name without quotation marks.");
  return `CREATE TABLE IF NOT EXISTS "${name}" (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;
}

/** Returns a function that creates a table unless it exists, and does nothing after it has succeeded. */
export function createOnce(pool: PostgresStoreClient, name: string): () => Promise<void> {
  const text = postgresRateLimitTable(name);
  let exists = false;

  return async () => {
    if (exists) return;
    if (!(await isKnown(pool, name))) await create(pool, name, text);
    exists = true;
  };
}

/** The right to create is required even for a table that exists. */
async function isKnown(pool: PostgresStoreClient, name: string): Promise<boolean> {
  const text = "SELECT to_regclass($1) IS NOT NULL AS known";
  const result = (await pool.query({ text, values: [`"${name}"`] })) as {
    readonly rows?: readonly { readonly known?: unknown }[];
  };
  return result.rows?.[0]?.known === true;
}

async function create(pool: PostgresStoreClient, name: string, text: string): Promise<void> {
  try {
    await pool.query({ text });
  } catch (cause) {
    const { code } = Object(cause) as { readonly code?: unknown };
    // Another process created it at the same moment.
    if (code === UNIQUE_VIOLATION) return;
    throw Object.assign(
      new Error(
        `postgresRateLimit could not create the table "${name}", so each process uses the whole limit. Run the SQL of postgresRateLimitTable() with your migrations.`,
        { cause },
      ),
      { code },
    );
  }
}

const UNIQUE_VIOLATION = "23505";
