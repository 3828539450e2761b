import { faultOf } from "@fieldmesh/core/internal/database";
import type { EventOutcome } from "./event-outcome.ts";
import { RETRY_IN } from "./store-results.ts";

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
