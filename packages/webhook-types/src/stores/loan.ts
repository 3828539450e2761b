import { isRecord, mistake } from "@fieldmesh/core/internal";
import type { EventContext } from "../router/event-context.ts";

/** A transaction that is lent to the handlers of one event. */
export interface Loan {
  /** Returns the transaction. After the end of the loan, this method and every use of the transaction throw. */
  transaction(): unknown;
  end(): void;
}

/**
 * Lends a transaction until its event ends. A pool then reuses its connection for another event, so a query that was not awaited
 * would become a part of that event's transaction.
 */
export function lend(transaction: object): Loan {
  let hasEnded = false;
  const check = (): void => {
    if (hasEnded) throw mistake(ENDED);
  };
  // The values of a statement may be any text.
  const over = (lentObject: object, isStatement: boolean): object =>
    new Proxy(lentObject, {
      // The transactions of postgres.js are functions.
      apply(target, _self, values) {
        check();
        return Reflect.apply(target as Method, undefined, values);
      },
      get(target, key) {
        check();
        // The inbox releases it. Kysely would release it after each query, in the middle of the transaction.
        if (key === "release") return () => {};
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        // Called on the client itself, whose class may have private fields.
        return (...values: unknown[]) => {
          check();
          if (!isStatement && endsTransaction(values[0])) throw mistake(NOT_YOURS);
          const result: unknown = Reflect.apply(value as Method, target, values);
          // A statement of SQLite could run later, in the transaction of another event.
          return key === "prepare" && isRecord(result) ? over(result, true) : result;
        };
      },
    });
  const lent = over(transaction, false);
  return {
    transaction() {
      check();
      return lent;
    },
    end() {
      hasEnded = true;
    },
  };
}

export function createLoans() {
  // Weak, so that a transaction is released with its context.
  const loans = new WeakMap<EventContext, Loan>();
  return {
    enter: (context: EventContext, loan: Loan): void => void loans.set(context, loan),
    /** Throws a TypeError for a context of another inbox, and after the end of the loan. */
    transaction(this: void, context: EventContext): unknown {
      const loan = loans.get(context);
      if (loan === undefined)
        throw mistake(
          "This context does not belong to this inbox. Pass the context that the handler received, and use this inbox as the store of the receiver.",
        );
      return loan.transaction();
    },
  };
}

/** Checks a query string, or an object of `pg` with one. A rollback to a savepoint is a part of the transaction. */
function endsTransaction(query: unknown): boolean {
  const text = typeof query === "string" ? query : (query as { text?: unknown } | undefined)?.text;
  return typeof text === "string" && ENDS.test(text);
}

const ENDS =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b))\b/i;

/** Part of an error, also if the transaction was ended by other means. */
export const NOT_YOURS =
  "The inbox begins and ends the transaction of an event: otherwise, the event would count as done, or its effects would be lost. For a part that may fail alone, use SAVEPOINT and ROLLBACK TO SAVEPOINT.";

type Method = (...values: unknown[]) => unknown;

const ENDED =
  "The transaction of this event has ended. Await every query before the handler returns.";
