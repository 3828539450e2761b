import { storeChannel, trace } from "@fieldmesh/core";

/** Publishes an operation on a store to `fieldmesh:store`. */
export function traceStore<T>(operation: string, ask: () => Promise<T>): Promise<T> {
  return trace(storeChannel, ask, { start: () => ({ operation }) });
}
