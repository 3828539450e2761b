/** What runs a query, as `pg` does it: its `Pool`, or a client of it. */
export interface PgQueryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A client of `pg` that a pool has lent. */
export interface PgClient extends PgQueryable {
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** The `Pool` of `pg`. */
export interface PgPool extends PgQueryable {
  connect(): Promise<PgClient>;
}

/** What a transaction of `postgres` can do that matters here. */
export interface PostgresJsTransaction {
  unsafe(text: string, values: never[]): PromiseLike<readonly unknown[]>;
}

/** What `postgres()` gives, of the package `postgres`. */
export interface PostgresJs extends PostgresJsTransaction {
  begin(work: (transaction: PostgresJsTransaction) => Promise<unknown>): Promise<unknown>;
}

/** What handlers write through: the type of your own client's transactions. Overloads are matched pair by pair. */
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

/** Runs a query and gives its rows. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Row[]>;

export interface Row {
  readonly [column: string]: unknown;
}

/** One way to ask, whichever package the client is of. */
export function queryOf(client: PgQueryable | PostgresJsTransaction): Query {
  if ("unsafe" in client)
    return async (text, values) => [...(await client.unsafe(text, values as never[]))] as Row[];
  return async (text, values) => (await client.query(text, [...values])).rows as Row[];
}
