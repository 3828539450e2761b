import { describeValue, hasMethod } from "@fieldmesh/core";

type Value = string | number | null;

/** The part of a `DatabaseSync` of `node:sqlite` that is used here. */
export interface SqliteDatabase {
  /** Whether a transaction is open, where the driver says so: Node from 22.16 on. */
  readonly isTransaction?: boolean;
  /** The same, of `better-sqlite3`. */
  readonly inTransaction?: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: Value[]): unknown[] };
}

interface Row {
  readonly [column: string]: unknown;
}

/** Prepares a statement; what it returns runs it and returns its rows. */
type Prepare = (sql: string) => (...values: Value[]) => Row[];

/** Creates a table, and returns what prepares statements; throws a TypeError for what is not a database. */
export function openSqlite(owner: string, database: SqliteDatabase, createTable: string): Prepare {
  if (!hasMethod(database, "prepare"))
    throw new TypeError(
      `${owner} requires a database of node:sqlite, and not ${describeValue(database)}. Pass new DatabaseSync(path).`,
    );
  database.exec(createTable);
  return (sql) => {
    const statement = database.prepare(sql);
    return (...values) => {
      if (database.isTransaction === true || database.inTransaction === true)
        throw new Error(
          `A transaction is open on the connection of ${owner}, and rolling it back would undo the mark of an event. Give the store a connection of its own: new DatabaseSync(path).`,
        );
      return statement.all(...values) as Row[];
    };
  };
}
