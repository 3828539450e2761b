/** What runs a query, as `pg` does it: its `Pool`, or a client of it. */
export interface PgQueryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A client that a `pg` pool has lent. */
export interface PgClient extends PgQueryable {
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** The `Pool` of `pg`. */
export interface PgPool extends PgQueryable {
  connect(): Promise<PgClient>;
}

/** The part of a `postgres` transaction that is used here. */
export interface PostgresJsTransaction {
  unsafe(text: string, values: never[]): PromiseLike<readonly unknown[]>;
}

/** What `postgres()` of the package `postgres` returns. */
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

/** Runs a query and returns its rows. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Row[]>;

export interface Row {
  readonly [column: string]: unknown;
}

/** Returns one function for queries, whichever package the client is from. */
export function queryOf(client: PgQueryable | PostgresJsTransaction): Query {
  if ("unsafe" in client)
    return async (text, values) => [...(await client.unsafe(text, values as never[]))] as Row[];
  return async (text, values) => (await client.query(text, [...values])).rows as Row[];
}
