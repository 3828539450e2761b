import { describeValue } from "../describe-value.ts";
import { mistake } from "../mistake.ts";
import { hasMethod } from "../record.ts";
import { againAfterConflict, isBusy, SERIALIZATION_FAILURE } from "./faults.ts";
import { hasTransaction, sqliteDriver, type SqliteDatabase } from "./sqlite-driver.ts";
import { createGroup } from "./group.ts";
import { borrow } from "./port.ts";
import type { LentSql, Query, Statement } from "./sql.ts";

/** An SQLite file, as stores use it. */
export interface Sqlite {
  /** Runs a statement when no transaction is in progress. Those that wait at the same moment share a transaction. */
  readonly query: Query;
  /** Runs work in a transaction, once those before it have ended. Commits after it, or rolls back and rethrows its error. */
  readonly transaction: <T>(
    work: (lent: LentSql) => Promise<T>,
    signal?: AbortSignal,
  ) => Promise<T>;
}

/** Returns the database of a connection. Throws a TypeError for anything else. */
export function openSqlite(owner: string, database: SqliteDatabase): Sqlite {
  if (!hasMethod(database, "prepare"))
    throw mistake(
      `${owner} requires a database of node:sqlite, not ${describeValue(database)}. Pass new DatabaseSync(path).`,
    );
  const driver = sqliteDriver(owner, database);
  const transact = <T>(work: (lent: LentSql) => Promise<T>): Promise<T> =>
    borrow(driver, (lent) => inTransaction(database, () => work(lent)));
  const grouped = createGroup(
    (statements: readonly Statement[]) =>
      borrow(driver, ({ send }) =>
        statements.length === 1 ? send(statements) : sendTogether(database, send, statements),
      ),
    (error) => !isBusy(error),
  );
  return {
    query: async (text, values = []) => (await grouped({ text, values })).rows,
    transaction: (work, signal) => againAfterConflict(() => transact(work), signal),
  };
}

/** Several statements in one transaction, which no other code of the process interrupts. */
function sendTogether(
  database: SqliteDatabase,
  send: LentSql["send"],
  statements: readonly Statement[],
): ReturnType<LentSql["send"]> {
  return orUndo(database, async () => {
    const results = await send([{ text: "BEGIN IMMEDIATE" }, ...statements, { text: "COMMIT" }]);
    return results.slice(1);
  });
}

function inTransaction<T>(database: SqliteDatabase, work: () => Promise<T>): Promise<T> {
  return orUndo(database, async () => {
    database.exec("BEGIN IMMEDIATE");
    const result = await work();
    commit(database);
    return result;
  });
}

/** Rolls back if work fails. Some errors have ended the transaction already. */
async function orUndo<T>(database: SqliteDatabase, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasTransaction(database) !== false) rollBack(database);
    throw error;
  }
}

const warned = new WeakSet<object>();
const BUSY_AT_COMMIT =
  "Another process was reading the file at COMMIT (SQLITE_BUSY). Run PRAGMA journal_mode = WAL once.";

/** A reader in another process can hold the file here, which then is a conflict like one that a server reports. */
function commit(database: SqliteDatabase): void {
  try {
    database.exec("COMMIT");
  } catch (error) {
    if (!isBusy(error)) throw error;
    if (!warned.has(database)) {
      warned.add(database);
      // oxlint-disable-next-line no-console -- the event is in progress, and no error says why
      console.warn(BUSY_AT_COMMIT);
    }
    throw Object.assign(new Error(BUSY_AT_COMMIT, { cause: error }), {
      code: SERIALIZATION_FAILURE,
    });
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // There is none, and the driver does not say so.
  }
}
