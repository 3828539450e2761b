import {
  type AnyRecord,
  describeValue,
  hasMethod,
  memberOf,
  mistake,
} from "@fieldmesh/core/internal";

/** Runs queries like `pg`: its `Pool`, or a client of it. */
export interface PgQueryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A client from a `pg` pool. */
export interface PgClient extends PgQueryable {
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** The `Pool` of `pg`. */
export interface PgPool extends PgQueryable {
  connect(): Promise<PgClient>;
}

/** The part of a `postgres` transaction that is used. */
export interface PostgresJsTransaction {
  unsafe(text: string, values: never[]): PromiseLike<readonly unknown[]>;
}

/** The result of `postgres()` of the package `postgres`. */
export interface PostgresJs extends PostgresJsTransaction {
  begin(work: (transaction: PostgresJsTransaction) => Promise<unknown>): Promise<unknown>;
}

/** The type of your client's transactions, through which handlers write. Overloads are matched pair by pair. */
export type TransactionOf<Client> = Client extends {
  connect: { (): Promise<infer Lent>; (callback: never): void };
}
  ? Lent
  : Client extends {
        begin: {
          (work: (transaction: infer Transaction) => unknown): unknown;
          (options: string, work: never): unknown;
        };
      }
    ? Transaction
    : Client extends { connect(): Promise<infer Lent> }
      ? Lent
      : never;

export type Query = (text: string, values: readonly unknown[]) => Promise<AnyRecord[]>;

/** Throws a TypeError for a client without the methods. It shows nothing of a connection string. */
export function checkClient(owner: string, client: unknown, methods: readonly string[]): void {
  if (!methods.some((name) => hasMethod(client, name)))
    throw mistake(
      `${owner} requires a Pool of pg, or the result of postgres(), not ${describeValue(client)}. Pass new Pool({ connectionString }).`,
    );
  // Most programs add the listener right after they create the pool, perhaps after the store.
  queueMicrotask(() => warnWithoutListener(owner, client as object));
}

const warned = new WeakSet<object>();

/** Node ends a process on an "error" event without a listener, and an idle connection emits one when the database restarts. */
function warnWithoutListener(owner: string, client: object): void {
  const { listenerCount } = client as { listenerCount?: unknown };
  if (warned.has(client) || typeof listenerCount !== "function") return;
  if (listenerCount.call(client, "error") !== 0) return;
  warned.add(client);
  // oxlint-disable-next-line no-console -- the next restart of the database would end the process
  console.warn(
    `${owner}: the pool has no listener for "error", so an idle connection that breaks ends the process. Add pool.on("error", (error) => console.error(error)).`,
  );
}

const UNDEFINED_TABLE = "42P01";

/** Returns one function for queries, whichever package the client is from. `tables` returns the SQL that creates the table. */
export function queryOf(
  client: PgQueryable | PostgresJsTransaction,
  tables = "postgresTables()",
): Query {
  const send = senderOf(client);
  return async (text, values) => {
    try {
      return await send(text, values);
    } catch (error) {
      if (memberOf(error, "code") !== UNDEFINED_TABLE) throw error;
      throw new Error(
        `${(error as Error).message}. Create the table once, with your migrations: await pool.query(${tables}).`,
        { cause: error },
      );
    }
  };
}

/** Returns one function for queries, whose errors are those of the client. */
export function senderOf(client: PgQueryable | PostgresJsTransaction): Query {
  return async (text, values) => {
    const rows: readonly unknown[] =
      "unsafe" in client
        ? await client.unsafe(text, values as never[])
        : (await client.query(text, [...values])).rows;
    return [...rows] as AnyRecord[];
  };
}
