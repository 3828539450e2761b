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

type Method = (...values: unknown[]) => unknown;

const ENDED =
  "The transaction of this event has ended; was a promise not awaited? Await every query before the handler returns.";
