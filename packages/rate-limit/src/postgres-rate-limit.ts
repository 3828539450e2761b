import { options, trueOrFalse } from "@fieldmesh/core/internal";
import { openPostgres, type PgPool, type SqlValues } from "@fieldmesh/core/internal/database";
import type { SharedRateLimit } from "@fieldmesh/http";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { createOnce } from "./postgres-table.ts";
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
