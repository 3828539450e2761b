/** A transaction that is lent to the handlers of one event. */
export interface Loan {
  /** Returns the transaction. Once the loan has ended, this throws, and so does everything that is asked of the transaction. */
  transaction(): unknown;
  end(): void;
}

/**
 * Lends a transaction until its event ends. A pool lends its connection to another event after that, so a query of a promise
 * that was not awaited would be part of that event's transaction.
 */
export function lend(transaction: object): Loan {
  let hasEnded = false;
  const check = (): void => {
    if (hasEnded) throw new TypeError(ENDED);
  };
  // postgres.js's transactions are functions.
  const lent = new Proxy(transaction, {
    apply(target, _self, values) {
      check();
      return Reflect.apply(target as Method, undefined, values);
    },
    get(target, key) {
      check();
      // The inbox releases it. Kysely would do so after each query, in the middle of the transaction.
      if (key === "release") return () => {};
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      // Called on the client itself, whose class may have private fields.
      return (...values: unknown[]) => {
        check();
        if (endsTransaction(values[0])) throw new TypeError(NOT_YOURS);
        return Reflect.apply(value as Method, target, values);
      };
    },
  });
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

/** Of a query as text, or as the object of `pg` that has one. A rollback to a savepoint is a part of the transaction. */
function endsTransaction(query: unknown): boolean {
  const text = typeof query === "string" ? query : (query as { text?: unknown } | undefined)?.text;
  return typeof text === "string" && ENDS.test(text);
}

const ENDS =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b))\b/i;

/** Of an error, also where the transaction was ended by other means. */
export const NOT_YOURS =
  "The inbox begins and ends the transaction of an event: without it, the event would count as done, or its effects be lost. For a part that may fail alone, use SAVEPOINT and ROLLBACK TO SAVEPOINT.";

type Method = (...values: unknown[]) => unknown;

const ENDED =
  "The transaction of this event has ended; was a promise not awaited? Await every query before the handler returns.";
