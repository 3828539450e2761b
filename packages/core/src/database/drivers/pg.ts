import { hasMethod, memberOf } from "../../record.ts";
import type { LentSql, SqlDriver, SqlResult, SqlValues, Statement } from "../sql.ts";
import { withStoredKey } from "../stored-key.ts";

/** A client from a `pg` pool. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<unknown>;
  escapeLiteral(text: string): string;
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** The `Pool` of `pg`. */
export interface PgPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  connect(): Promise<PgClient>;
}

/** Whether a value is a pool of `pg`. Its single `Client` cannot be replaced once it hangs. */
export function isPgPool(value: unknown): value is PgPool {
  return (
    hasMethod(value, "connect") &&
    hasMethod(value, "query") &&
    memberOf(value, "processID") === undefined
  );
}

export function pgDriver(pool: PgPool): SqlDriver {
  const max = memberOf(memberOf(pool, "options"), "max");
  listenForever(pool);
  return {
    client: pool,
    connect: async () => {
      const client = await pool.connect();
      return {
        client,
        send: sendOn(client),
        onLost(listener) {
          client.on("error", listener);
          return () => client.removeListener("error", listener);
        },
        release: (error) => client.release(error),
      };
    },
    // One stays free for the queries of handlers that use the pool: otherwise, they and their events would wait for each other.
    most: typeof max === "number" ? Math.max(1, max - 1) : undefined,
    waiting: () => Number(memberOf(pool, "waitingCount") ?? 0),
  };
}

const listening = new WeakSet<object>();

/**
 * A pool removes its listener when it hands out a connection. One that breaks before the next listener is added would end the process,
 * so each connection has one from its beginning. A pool may be behind several proxies.
 */
function listenForever(pool: PgPool): void {
  const key = memberOf(pool, "options") ?? pool;
  if (!hasMethod(pool, "on") || listening.has(key)) return;
  listening.add(key);
  (pool as PgPool & Pick<EventSource, "on">).on("connect", (client) => {
    client.on("error", () => {});
  });
}

interface EventSource {
  on(event: "connect", listener: (client: PgClient) => void): unknown;
}

/** Returns the function that runs statements on a connection. */
export function sendOn(client: Pick<PgClient, "query" | "escapeLiteral">): LentSql["send"] {
  return async (statements) => {
    const reply = await client.query(
      textOf(await Promise.all(statements.map(withStoredKey)), client),
    );
    // A list for several statements.
    const results: readonly unknown[] = Array.isArray(reply) ? reply : [reply];
    const isWhole = results.length === statements.length;
    if (!isWhole || !results.every((result) => Array.isArray(memberOf(result, "rows"))))
      throw new Error(NO_RESULTS);
    return results as readonly SqlResult[];
  };
}

/** A pool that is wrapped, or a client whose query mode was changed. Nothing is then known about the event. */
const NO_RESULTS =
  "The pool returned something other than a result for each statement. Pass a Pool of pg.";

/** Several statements are one round trip, and outside of a transaction one commit, only if their values are literals. */
function textOf(statements: readonly Statement[], client: Pick<PgClient, "escapeLiteral">): string {
  const literalOf = (value: SqlValues[number] | undefined): string =>
    value === null || value === undefined
      ? "NULL"
      : Number.isFinite(value)
        ? `(${value})`
        : // PostgreSQL has no text with NUL.
          client.escapeLiteral(String(value).replaceAll("\0", ""));
  return statements
    .map(({ text, values }) =>
      values === undefined
        ? text
        : text.replaceAll(/\$(\d+)/g, (_, number) => literalOf(values[Number(number) - 1])),
    )
    .join(";\n");
}
