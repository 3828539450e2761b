import { describeValue } from "../describe-value.ts";
import { mistake } from "../mistake.ts";
import { hasMethod, isRecord, memberOf } from "../record.ts";
import {
  type LentSql,
  type SqlDriver,
  type SqlResult,
  type SqlValues,
  type Statement,
  withStoredKey,
} from "./sql.ts";

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

/** Throws a TypeError for anything but a pool: a single `Client` cannot be replaced once it hangs. Says once what a pool lacks. */
export function checkPgPool(owner: string, value: unknown): asserts value is PgPool {
  const isPool = hasMethod(value, "connect") && hasMethod(value, "query");
  if (!isPool || memberOf(value, "processID") !== undefined) throw rejectedClient(owner, value);
  // Most programs add the listener right after they create the pool, perhaps after the store.
  queueMicrotask(() => warnOfPool(owner, value as PgPool));
}

function rejectedClient(owner: string, client: unknown): TypeError {
  return mistake(
    hasMethod(client, "unsafe")
      ? `${owner} does not accept postgres.js, which cannot close one connection that hangs, and hides how a COMMIT ended. Pass new Pool({ connectionString }) of pg, beside your own client: see the guide "Databases", guides/databases.`
      : `${owner} requires a Pool of pg, not ${describeValue(client)}. Pass new Pool({ connectionString }).`,
  );
}

const warned = new WeakSet<object>();

/** Says once what a pool lacks. Node ends a process on an "error" event without a listener, which an idle connection emits. */
function warnOfPool(owner: string, pool: PgPool): void {
  if (warned.has(identityOf(pool))) return;
  warned.add(identityOf(pool));
  const lacks: string[] = [];
  if (hasMethod(pool, "listenerCount") && (pool as PgPool & Emitter).listenerCount("error") === 0)
    lacks.push(
      'the pool has no listener for "error", so an idle connection that breaks ends the process. Add pool.on("error", (error) => console.error(error)).',
    );
  const options = memberOf(pool, "options");
  if (options !== undefined && !memberOf(options, "connectionTimeoutMillis"))
    lacks.push(
      "the pool has no connectionTimeoutMillis, so a query may wait for a connection forever. Pass new Pool({ connectionTimeoutMillis: 5_000 }).",
    );
  // oxlint-disable-next-line no-console -- nothing else would say so before an outage
  for (const lack of lacks) console.warn(`${owner}: ${lack}`);
}

/** The same for all proxies of a pool. */
function identityOf(pool: PgPool): object {
  const options = memberOf(pool, "options");
  return isRecord(options) ? options : pool;
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
 * so each connection has one from its beginning.
 */
function listenForever(pool: PgPool): void {
  if (!hasMethod(pool, "on") || listening.has(identityOf(pool))) return;
  listening.add(identityOf(pool));
  (pool as PgPool & Emitter).on("connect", (client) => {
    client.on("error", () => {});
  });
}

interface Emitter {
  listenerCount(event: "error"): number;
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
