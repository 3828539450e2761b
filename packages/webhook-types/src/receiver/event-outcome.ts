import { faultOf } from "@fieldmesh/core/internal/database";
import { RETRY_IN } from "./ask-store.ts";

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

/** The outcome of an event whose handlers threw an error. The fault of a database is none of theirs, and does not count as a failure. */
export function failed(error: unknown): EventOutcome {
  const fault = faultOf(error);
  return fault === "conflict" || fault === "database"
    ? storeFailed(error)
    : { outcome: "failed", error };
}

/** The outcome of an event whose store threw an error. After a conflict with another transaction, it may succeed soon. */
export function storeFailed(error: unknown): EventOutcome {
  return faultOf(error) === "conflict"
    ? { outcome: "in_progress", retryIn: RETRY_IN }
    : { outcome: "store_failed", error };
}
