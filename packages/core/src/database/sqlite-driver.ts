import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import type { AnyRecord } from "../record.ts";
import { within } from "../within.ts";
import type { SqlDriver, SqlResult, Statement } from "./sql.ts";

/** The part of a `DatabaseSync` of `node:sqlite` that is used. */
export interface SqliteDatabase {
  /** Whether a transaction is open, if the driver says so: Node from 22.16 on. */
  readonly isTransaction?: boolean;
  /** The same in `better-sqlite3`. */
  readonly inTransaction?: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: (string | number | null)[]): unknown[] };
}

/** An SQLite connection has one transaction at a time: one piece of work after the other has it. */
export function sqliteDriver(owner: string, database: SqliteDatabase): SqlDriver {
  const prepared = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  const run = ({ text, values }: Statement): SqlResult => {
    if (values === undefined) {
      database.exec(text);
      return { rows: [] };
    }
    const statement = getOrInsertComputed(prepared, text, () => database.prepare(text));
    return { rows: statement.all(...values) as AnyRecord[] };
  };
  return {
    client: database,
    connect: async () => {
      const release = await takeTurn(database);
      if (hasTransaction(database) === true) {
        release();
        throw transactionOpen(owner);
      }
      return {
        client: database,
        // At once: between two statements, other code of the process could wait for the file that this connection holds.
        send: async (statements) => statements.map(run),
        // A connection to a file is not lost.
        onLost: () => () => {},
        release,
      };
    },
  };
}

/** Whether a transaction is open. `undefined` if the driver does not say so. */
export function hasTransaction({
  isTransaction,
  inTransaction,
}: SqliteDatabase): boolean | undefined {
  return isTransaction ?? inTransaction;
}

/** The error for a connection that other code uses too. */
function transactionOpen(owner: string): Error {
  return new Error(
    `A transaction is open on the connection of ${owner}, and rolling it back would undo the mark of an event. Pass the store its own connection: new DatabaseSync(path).`,
  );
}

/**
 * What each connection does last. Shared by all copies of this package in a process, and weak, so that a connection is released with
 * its program.
 */
const TURNS = Symbol.for("@fieldmesh/core/sqlite-turns");
const shared = globalThis as { [TURNS]?: WeakMap<object, Promise<void>> };

/** Shorter than a sender waits for a response. */
const LONGEST_TURN = 5_000;
const TOO_LATE =
  "Another transaction kept the SQLite connection for 5 s. Check that no handler waits for long, or for this call.";

/** Waits until all earlier work on the same connection has ended. Returns the function that ends the turn. Rejects after 5 s. */
async function takeTurn(connection: object): Promise<() => void> {
  const lastTurns = (shared[TURNS] ??= new WeakMap());
  const before = lastTurns.get(connection) ?? Promise.resolve();
  const ended = Promise.withResolvers<void>();
  lastTurns.set(
    connection,
    before.then(() => ended.promise),
  );
  try {
    await within(LONGEST_TURN, () => before, TOO_LATE);
    return ended.resolve;
  } catch (error) {
    ended.resolve();
    // The same as if another process held the file.
    throw Object.assign(error as Error, { code: "SQLITE_BUSY" });
  }
}
