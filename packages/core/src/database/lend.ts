import { mistake } from "../mistake.ts";
import { isPromise } from "../realm.ts";
import { isRecord } from "../record.ts";
import { faultOf } from "./faults.ts";
import { type PgClient, sendOn } from "./pg-driver.ts";
import type { LastStatement, LentSql } from "./sql.ts";

/** A connection that is lent to the handlers of one event. */
export interface Loan {
  /** Returns the connection. After the end of the loan, this method and every use of the connection throw. */
  connection(): unknown;
  /** Returns an error of the handlers, with that of a query which it hides: errors of Prisma have no SQLSTATE. */
  blame(error: unknown): unknown;
  end(): void;
}

/**
 * Lends a connection until its event ends. A pool then reuses it for another event, so a query that was not awaited would become a
 * part of that event's transaction. After a loss, some drivers would send the next query alone, or end the process.
 */
export function lend(connection: Pick<LentSql, "client" | "send" | "lost" | "atEnd">): Loan {
  const { client, lost } = connection;
  let hasEnded = false;
  let rejected: unknown;
  const note = (error: unknown): void => {
    if (isNotOfWork(error)) rejected = error;
  };
  const problemWith = (statement?: unknown): Error | undefined => {
    if (lost.aborted) return new Error(LOST, { cause: lost.reason });
    if (hasEnded) return mistake(ENDED);
    return endsTransaction(statement) ? mistake(NOT_YOURS) : undefined;
  };
  const check = (): void => {
    const problem = problemWith();
    if (problem !== undefined) throw problem;
  };
  // The values of a statement may be any text.
  const over = (lentObject: object, isStatement: boolean): object =>
    new Proxy(lentObject, {
      get(target, key) {
        const isQuery = key === "query";
        if (!isQuery) check();
        // The inbox releases it. Kysely would release it after each query, in the middle of the transaction.
        if (key === "release") return () => {};
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        // Called on the client itself, whose class may have private fields.
        return (...values: unknown[]) => {
          const problem = problemWith(isStatement ? undefined : values[0]);
          if (problem !== undefined && isQuery) return rejectQuietly(problem);
          if (problem !== undefined) throw problem;
          const result: unknown = Reflect.apply(value as Method, target, values);
          if (isPromise(result)) result.catch(note);
          // A statement of SQLite could run later, in the transaction of another event.
          return key === "prepare" && isRecord(result) ? over(result, true) : result;
        };
      },
    });
  const lent = over(client, false);
  behind.set(lent, connection);
  return {
    connection() {
      check();
      return lent;
    },
    blame: (error) =>
      rejected === undefined || isNotOfWork(error)
        ? error
        : new AggregateError([error, rejected], (error as Error | undefined)?.message),
    end() {
      hasEnded = true;
    },
  };
}

/** A promise, as a query of `pg` returns. A late one that nobody awaits must not end the process. */
function rejectQuietly(error: Error): Promise<never> {
  const rejected = Promise.reject<never>(error);
  rejected.catch(() => undefined);
  return rejected;
}

function isNotOfWork(error: unknown): boolean {
  return ["conflict", "database"].includes(faultOf(error) ?? "");
}

/** The connection behind what was lent. */
const behind = new WeakMap<object, Pick<LentSql, "send" | "atEnd">>();

/** Returns the function that runs statements in a transaction that an inbox has lent, which may be one that the user wrote for `pg`. */
export function sendIn(transaction: unknown): LentSql["send"] {
  return behind.get(transaction as object)?.send ?? sendOn(transaction as PgClient);
}

/** Sends a statement with the COMMIT of a transaction that an inbox has lent. Returns whether it will be sent. */
export function sendAtEnd(transaction: unknown, statement: LastStatement): boolean {
  const atEnd = behind.get(transaction as object)?.atEnd;
  atEnd?.(statement);
  return atEnd !== undefined;
}

/**
 * Checks a query string, or an object of `pg` with one, each of its statements. A rollback to a savepoint is a part of the transaction,
 * and so are the words in a string, a name, a comment, or the body of what is created.
 */
function endsTransaction(query: unknown): boolean {
  const text = typeof query === "string" ? query : (query as { text?: unknown } | undefined)?.text;
  if (typeof text !== "string") return false;
  const bare = text.replaceAll(QUOTED, " ");
  return !/^\s*create\b/i.test(bare) && ENDS.test(bare);
}

const QUOTED =
  /'[^']*'?|"[^"]*"?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\$\w{0,20}\$[^$]*\$\w{0,20}\$/g;
const ENDS =
  /(?:^|;)\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b))\b/i;

/** Part of an error, also if the transaction was ended by other means. */
export const NOT_YOURS =
  "The inbox begins and ends the transaction of an event: otherwise, the event would count as done, or its effects would be lost. For a part that may fail alone, use SAVEPOINT and ROLLBACK TO SAVEPOINT.";

type Method = (...values: unknown[]) => unknown;

const ENDED =
  "The transaction of this event has ended. Await every query before the handler returns.";
const LOST =
  "The connection of this event was lost, and its transaction is undone. The sender delivers the event again.";
