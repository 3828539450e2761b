import { storeChannel, trace } from "@fieldmesh/core";

/** Publishes what a store is asked for to `fieldmesh:store`. */
export function traceStore<T>(operation: string, ask: () => Promise<T>): Promise<T> {
  return trace(storeChannel, ask, { start: () => ({ operation }) });
}
