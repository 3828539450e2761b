/** What became of an event. After all but `handled`, `duplicate`, `superseded` and `set_aside` the sender should retry. */
export type EventOutcome =
  /** Its handlers have run, and the store knows. */
  | { readonly outcome: "handled" }
  /** It was done before. */
  | { readonly outcome: "duplicate" }
  /** A newer event of the same object was handled before. */
  | { readonly outcome: "superseded" }
  /** Another process handles it now. */
  | { readonly outcome: "in_progress"; readonly retryIn: number }
  /** A handler threw. */
  | { readonly outcome: "failed"; readonly error: unknown }
  /** A handler threw, as often as `poison` says, and the event was kept: it can be listed and run again. */
  | { readonly outcome: "set_aside"; readonly error: unknown }
  /** A handler threw, as often as `poison` says, but the event could not be kept so that it can be run again. */
  | { readonly outcome: "not_set_aside"; readonly error: unknown }
  /** Its handlers ran for longer than the lease lasted, so that another process may have it. */
  | { readonly outcome: "lease_lost" }
  /** The store, or the order, could not be asked. */
  | { readonly outcome: "store_failed"; readonly error: unknown };
