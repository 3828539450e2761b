/** The outcome of an event. The sender should retry after any outcome except `handled`, `duplicate`, `superseded` and `set_aside`. */
export type EventOutcome =
  /** Its handlers have run, and the store has recorded it. */
  | { readonly outcome: "handled" }
  /** It was already handled. */
  | { readonly outcome: "duplicate" }
  /** A newer event of the same object was already handled. */
  | { readonly outcome: "superseded" }
  /** Another process is handling it. */
  | { readonly outcome: "in_progress"; readonly retryIn: number }
  /** A handler threw an error. */
  | { readonly outcome: "failed"; readonly error: unknown }
  /** A handler threw an error as often as `poison` allows, and the event was kept: you can list it and run it again. */
  | { readonly outcome: "set_aside"; readonly error: unknown }
  /** A handler threw an error as often as `poison` allows, but the event could not be kept to run it again. */
  | { readonly outcome: "not_set_aside"; readonly error: unknown }
  /** Its lease ended before the receiver could record it, so another process may have the event. */
  | { readonly outcome: "lease_lost" }
  /** The store, or the order, failed. */
  | { readonly outcome: "store_failed"; readonly error: unknown };
