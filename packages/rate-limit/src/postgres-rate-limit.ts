import { options, trueOrFalse, mistake } from "@fieldmesh/core/internal";
import {
  openPostgres,
  type PgPool,
  type SqlValues,
  type Query,
  sqlstateOf,
} from "@fieldmesh/core/internal/database";
import type { SharedRateLimit } from "@fieldmesh/http";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { NAME, sharedTable, shareThrough, type SharedRateLimitOptions } from "./share-through.ts";

/** Options of {@link postgresRateLimit}. */
export interface PostgresRateLimitOptions extends SharedRateLimitOptions {
  /**
   * Whether to create the table if it does not exist. With `false`, the first call requires the table of
   * `postgresRateLimitTable`, and the role needs the rights to select, insert, update and delete.
   *
   * @default true
   */
  readonly createTable?: boolean | undefined;
}

/**
 * Shares a limit between processes through PostgreSQL, with the limiter of rate-limiter-flexible.
 *
 * The first call creates a table, unless it exists. Where the role of the pool may not create tables, run the SQL of
 * `postgresRateLimitTable` with your migrations. The clocks of the machines must agree within a second.
 *
 * @throws A TypeError for a value that is not a PostgreSQL pool, and for unknown options
 * @example
 * ```ts
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
 * pool.on("error", (error) => console.error(error.message));
 * const client = createConsoleClient({
 *   baseUrl, apiKey,
 *   rateLimit: { ...rateLimits.hostedConsole, shared: postgresRateLimit(pool) },
 * });
 * ```
 */
export function postgresRateLimit(
  pool: PgPool,
  given: PostgresRateLimitOptions = {},
): SharedRateLimit {
  const { queryAlone } = openPostgres("postgresRateLimit", pool);
  const { name = NAME, onError, createTable = true } = readOptions(given);
  const storeClient = {
    query: async ({ text, values }: { text: string; values?: SqlValues }) => {
      const rows = await queryAlone(text, values);
      return { rows, rowCount: rows.length };
    },
  };
  const settings = { storeClient, storeType: "pool", tableName: name, tableCreated: true };
  return shareThrough(onError, (limits) => new RateLimiterPostgres({ ...settings, ...limits }), {
    prepare: createTable ? createOnce(queryAlone, name) : undefined,
  });
}

const readOptions = /* @__PURE__ */ options<PostgresRateLimitOptions>("postgresRateLimit", {
  ...sharedTable,
  createTable: trueOrFalse,
});

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
function createOnce(query: Query, name: string): () => Promise<void> {
  const text = postgresRateLimitTable(name);
  let exists = false;

  return async () => {
    if (exists) return;
    if (!(await isKnown(query, name))) await create(query, name, text);
    exists = true;
  };
}

/** The right to create is required even for a table that exists. */
async function isKnown(query: Query, name: string): Promise<boolean> {
  const [row] = await query("SELECT to_regclass($1) IS NOT NULL AS known", [`"${name}"`]);
  return row?.["known"] === true;
}

async function create(query: Query, name: string, text: string): Promise<void> {
  try {
    await query(text);
  } catch (cause) {
    const code = sqlstateOf(cause);
    // Another process created it at the same moment.
    if (code !== undefined && CREATED_MEANWHILE.test(code)) return;
    throw Object.assign(
      new Error(
        `postgresRateLimit could not create the table "${name}", so each process uses the whole limit. Run the SQL of postgresRateLimitTable() with your migrations.`,
        { cause },
      ),
      { code },
    );
  }
}

/** A row of the catalog, the type of the rows, or the table exists. */
const CREATED_MEANWHILE = /^(?:23505|42710|42P07)$/;
