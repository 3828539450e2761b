// Why it is so: docs/decisions/35-every-wait-has-an-end.md
import { storeChannel, trace, within } from "@fieldmesh/core/internal";

/** The client of a database may wait much longer for a server that is gone, and a sender gives up earlier. */
export const LONGEST_STORE_WAIT = 10_000;

/** Calls a store, waits 10 s at most, and publishes the call to `fieldmesh:store`. `undo` receives a result that comes later. */
export function askStore<T>(
  operation: string,
  ask: () => Promise<T>,
  undo?: (result: T) => unknown,
): Promise<T> {
  return traceStore(operation, () => within(LONGEST_STORE_WAIT, ask, hangs(operation), undo));
}

export function traceStore<T>(operation: string, ask: () => Promise<T>): Promise<T> {
  return trace(storeChannel, ask, { start: () => ({ operation }) });
}

export function hangs(operation: string): string {
  return `${operation} of the store did not settle within 10 s. Check that the store is reachable, and set a shorter timeout in its client.`;
}
