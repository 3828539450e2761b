// Why it is so: docs/decisions/35-every-wait-has-an-end.md
import { storeChannel, trace, within } from "@fieldmesh/core/internal";

/** The client of a database may wait much longer for a server that is gone, and a sender gives up earlier. */
export const LONGEST_STORE_WAIT = 10_000;

/**
 * Calls an operation of a store, waits 10 s for it at most, and publishes it to `fieldmesh:store`. `undo` receives a result that
 * comes later.
 */
export function askStore<T>(
  operation: string,
  ask: () => Promise<T>,
  undo?: (result: T) => unknown,
): Promise<T> {
  return traceStore(operation, () => within(LONGEST_STORE_WAIT, ask, hangs(operation), undo));
}

/** Publishes an operation on a store to `fieldmesh:store`. */
export function traceStore<T>(operation: string, ask: () => Promise<T>): Promise<T> {
  return trace(storeChannel, ask, { start: () => ({ operation }) });
}

/** The message of an error about a store that does not respond. */
export function hangs(operation: string): string {
  return `${operation} of the store did not settle within 10 s. Check that the store is reachable, and set a shorter timeout in its client.`;
}
