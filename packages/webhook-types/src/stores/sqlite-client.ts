import { type AnyRecord, describeValue, hasMethod, mistake } from "@fieldmesh/core/internal";
import { SERIALIZATION_FAILURE } from "./conflict.ts";
import { isBusy } from "./sqlite-errors.ts";
import { takeTurn } from "./sqlite-turns.ts";

/** The part of a `DatabaseSync` of `node:sqlite` that is used. */
export interface SqliteDatabase {
  /** Whether a transaction is open, if the driver says so: Node from 22.16 on. */
  readonly isTransaction?: boolean;
  /** The same in `better-sqlite3`. */
  readonly inTransaction?: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: (string | number | null)[]): unknown[] };
}

type Values = Parameters<ReturnType<SqliteDatabase["prepare"]>["all"]>;

/** Prepares a statement, and returns a function that runs it when no transaction is in progress, and returns its rows. */
export type Prepare = (sql: string) => (...values: Values) => Promise<AnyRecord[]>;

export function checkSqlite(owner: string, database: SqliteDatabase): void {
  if (!hasMethod(database, "prepare"))
    throw mistake(
      `${owner} requires a database of node:sqlite, not ${describeValue(database)}. Pass new DatabaseSync(path).`,
    );
}

/** Creates a table, and returns a function that prepares statements. Throws a TypeError for anything but a database. */
export function openSqlite(owner: string, database: SqliteDatabase, createTable: string): Prepare {
  checkSqlite(owner, database);
  database.exec(createTable);
  return (sql) => {
    const statement = database.prepare(sql);
    return (...values) =>
      takeTurn(database, () => {
        if (hasTransaction(database) === true) throw transactionOpen(owner);
        return statement.all(...values) as AnyRecord[];
      });
  };
}

/** Prepares a statement that runs in the open transaction of an inbox, which has taken its turn. */
export function prepareInTransaction(
  database: SqliteDatabase,
  sql: string,
): (...values: Values) => AnyRecord[] {
  const statement = database.prepare(sql);
  return (...values) => statement.all(...values) as AnyRecord[];
}

/** Whether a transaction is open. `undefined` if the driver does not say so. */
export function hasTransaction({
  isTransaction,
  inTransaction,
}: SqliteDatabase): boolean | undefined {
  return isTransaction ?? inTransaction;
}

/** The error for a connection that other code uses too. */
export function transactionOpen(owner: string): Error {
  return new Error(
    `A transaction is open on the connection of ${owner}, and rolling it back would undo the mark of an event. Pass the store its own connection: new DatabaseSync(path).`,
  );
}

/** Runs work in a transaction. Commits after it, or rolls back and rethrows its error. */
export async function runTransaction<T>(
  database: SqliteDatabase,
  work: () => Promise<T>,
): Promise<T> {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = await work();
    commit(database);
    return result;
  } catch (error) {
    // Some errors have ended the transaction already.
    if (hasTransaction(database) !== false) rollBack(database);
    throw error;
  }
}

/** A reader in another process can hold the file here, which then is a conflict like one that a server reports. */
function commit(database: SqliteDatabase): void {
  try {
    database.exec("COMMIT");
  } catch (error) {
    if (!isBusy(error)) throw error;
    const message =
      "Another process was reading the file at COMMIT (SQLITE_BUSY). Run PRAGMA journal_mode = WAL once.";
    throw Object.assign(new Error(message, { cause: error }), { code: SERIALIZATION_FAILURE });
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // There is none, and the driver does not say so.
  }
}
