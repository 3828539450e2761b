/** A pool of `pg`. */
export interface PostgresStoreClient {
  query(query: { text: string; values?: unknown[] }): Promise<unknown>;
}

/** The name of the table, and the prefix of the keys in Redis. */
export const NAME = "fieldmesh_rate_limit";

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
    throw new TypeError("postgresRateLimitTable requires a name without quotation marks.");
  return `CREATE TABLE IF NOT EXISTS "${name}" (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;
}

/** Returns a function that creates a table unless it exists, and whose calls share the result. */
export function ensureTable(pool: PostgresStoreClient, name: string): () => Promise<void> {
  const text = postgresRateLimitTable(name);
  // The right to create is required even for a table that exists.
  const look = { text: "SELECT to_regclass($1) IS NOT NULL AS known", values: [`"${name}"`] };

  async function create(): Promise<void> {
    const { rows } = (await pool.query(look)) as { readonly rows?: readonly object[] };
    if ((rows?.[0] as { known?: unknown } | undefined)?.known === true) return;
    try {
      await pool.query({ text });
    } catch (cause) {
      // Another process created it at the same moment.
      if ((cause as { code?: unknown } | undefined)?.code === UNIQUE_VIOLATION) return;
      throw Object.assign(
        new Error(
          `postgresRateLimit could not create the table "${name}", so each process uses the whole limit. Run the SQL of postgresRateLimitTable() with your migrations.`,
          { cause },
        ),
        { code: (cause as { code?: unknown } | undefined)?.code },
      );
    }
  }
  let created: Promise<void> | undefined;
  return () =>
    (created ??= create().catch((error: unknown) => {
      created = undefined;
      throw error;
    }));
}

const UNIQUE_VIOLATION = "23505";
