import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { memberOf } from "../record.ts";
import { againAfterConflict, sqlstateOf } from "./faults.ts";
import { checkPgPool, pgDriver } from "./pg-driver.ts";
import { createGroup } from "./group.ts";
import { NOT_YOURS } from "./lend.ts";
import { borrow } from "./port.ts";
import { createShare } from "./share.ts";
import {
  type LastStatement,
  type LentSql,
  type Query,
  queryOn,
  type SqlDriver,
  type Statement,
} from "./sql.ts";

/** A PostgreSQL, as stores use it. */
export interface Postgres {
  /** Runs a statement, which may share its round trip and its commit with others of the same moment. Sorted by the first value. */
  readonly query: Query;
  /** Runs a statement by itself. */
  readonly queryAlone: Query;
  /**
   * Runs work in a transaction that begins with a statement, which returns a row with {@link TRANSACTION_ID}. Commits after it, or rolls
   * back and rethrows its error. Without such a row, the work has nothing to commit. Runs it again after a conflict with another transaction.
   */
  readonly transaction: <T>(
    first: Statement,
    work: (lent: LentSql, hasBegun: boolean) => Promise<T>,
    signal?: AbortSignal,
  ) => Promise<T>;
}

/** By client: stores of the same one share round trips. */
const opened = new WeakMap<object, Postgres>();

/** Returns the database of a client. Throws a TypeError for one that the port cannot use, which shows nothing of its connection. */
export function openPostgres(owner: string, client: unknown): Postgres {
  checkPgPool(owner, client);
  return getOrInsertComputed(opened, client, () => postgresOf(pgDriver(client)));
}

function postgresOf(driver: SqlDriver): Postgres {
  const inShare = createShare(driver);
  const sendAll = (statements: readonly Statement[]) =>
    borrow(driver, ({ send }) => send(statements));
  // In the same order everywhere, so that no two processes wait for each other's rows. A batch that the server has rejected has no effect.
  const grouped = createGroup(async (statements: readonly Statement[]) => {
    const sorted = statements.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const results = await sendAll(sorted);
    return statements.map((statement) => results[sorted.indexOf(statement)]);
  }, isRejection);
  return {
    query: async (text, values = []) => {
      const result = await againAfterConflict(() => grouped({ text, values }));
      return result?.rows ?? [];
    },
    queryAlone: (text, values) => borrow(driver, (lent) => queryOn(lent)(text, values)),
    transaction: (first, work, signal) =>
      againAfterConflict(() => inShare(() => transact(driver, first, work)), signal),
  };
}

function keyOf({ values: [key] = [] }: Statement): string {
  return String(key);
}

function isRejection(error: unknown): boolean {
  return sqlstateOf(error) !== undefined;
}

async function transact<T>(
  driver: SqlDriver,
  first: Statement,
  work: (lent: LentSql, hasBegun: boolean) => Promise<T>,
): Promise<T> {
  return borrow(driver, async (lent) => {
    try {
      const [, begun] = await lent.send([{ text: "BEGIN" }, first]);
      const id = begun?.rows[0]?.["tx"];
      const hasBegun = typeof id === "string";
      const last: LastStatement[] = [];
      const atEnd = (statement: LastStatement) => void last.push(statement);
      const result = await work({ ...lent, atEnd }, hasBegun);
      await (hasBegun ? commit(lent, id, last) : rollBack(lent));
      return result;
    } catch (error) {
      await rollBack(lent);
      throw error;
    }
  });
}

/** A connection that cannot roll back is closed, and the server undoes its transaction. */
async function rollBack({ lost, send, discard }: LentSql): Promise<void> {
  if (!lost.aborted) await send([{ text: "ROLLBACK" }]).catch(discard);
}

/** A column that the first statement of a transaction returns: which one it is. */
export const TRANSACTION_ID = "txid_current()::text AS tx";
const DIVISION_BY_ZERO = "22012";

/**
 * Commits the transaction with this id. In another one, the division fails, and the COMMIT is not run: a handler has ended its transaction.
 * It also fails after an error of a query that a handler has caught, where COMMIT alone would silently roll back.
 */
async function commit(
  { send }: LentSql,
  id: string,
  last: readonly LastStatement[],
): Promise<void> {
  const check = { text: "SELECT 1 / (txid_current()::text = $1)::int", values: [id] };
  const sent = send([check, ...last, { text: "COMMIT" }]);
  const results = await sent.catch((error: unknown) => {
    throw commitError(error, last[0]);
  });
  if (results.at(-1)?.command !== "COMMIT") throw new Error(NOT_COMMITTED);
}

/** Without the error of PostgreSQL as its cause where no handler has caused it. */
function commitError(error: unknown, last: LastStatement | undefined): unknown {
  if (sqlstateOf(error) === DIVISION_BY_ZERO) return new Error(NOT_YOURS);
  return isMissingTable(error) && last !== undefined
    ? new Error(missingTable(error, last.creates))
    : error;
}

const UNDEFINED_TABLE = "42P01";

export function isMissingTable(error: unknown): boolean {
  return sqlstateOf(error) === UNDEFINED_TABLE;
}

/** Says how to create a table. */
export function missingTable(error: unknown, creates: string): string {
  return `${String(memberOf(error, "message"))}. Create the table once, with your migrations: await pool.query(${creates}).`;
}

const NOT_COMMITTED = "PostgreSQL did not commit the transaction, and has undone it.";
