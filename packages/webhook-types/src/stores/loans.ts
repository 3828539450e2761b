import { mistake } from "@fieldmesh/core/internal";
import type { Loan } from "@fieldmesh/core/internal/database";
import type { EventContext } from "../router/event-handlers.ts";

/** Remembers which connection was lent to which event. */
export function createLoans() {
  // Weak, so that a connection is released with its context.
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
      return loan.connection();
    },
  };
}
