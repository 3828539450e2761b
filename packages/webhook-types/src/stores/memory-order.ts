import { checkOptionNames, mistake } from "@fieldmesh/core/internal";
import { BoundedMap } from "./bounded-map.ts";
import { type ObjectOrder, sightingOf } from "./object-order.ts";

/** Options of {@link memoryOrder}. */
export interface MemoryOrderOptions {
  /**
   * The number of objects that are remembered at least. At most, there are twice as many. The least recently seen are forgotten
   * first.
   *
   * @default 100_000
   */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 100_000;

/**
 * Creates an `ObjectOrder` in the memory of this process. An event that is older, by `created_at`, than another one of the same
 * object gets a 2xx response and is not handled. For several processes, use `redisOrder` or `postgresOrder`. It cannot be used with an
 * inbox.
 *
 * Two events concern the same object if their types are of one family, such as `sim.*`, and `data.object.id` is the same.
 *
 * Use it only for handlers that copy the newest snapshot: a handler of `invoice.finalized` does not run after `invoice.paid`. Two
 * events of the same object that arrive together may both be handled, in any order. Events whose object has no id, and events of
 * the same time, are always handled.
 *
 * @example
 * ```ts
 * createReceiver({ secret, store: memoryStore(), order: memoryOrder(), handlers });
 * ```
 */
export function memoryOrder(options: MemoryOrderOptions = {}): ObjectOrder {
  checkOptionNames("memoryOrder", options, ["limit"]);
  const { limit = DEFAULT_LIMIT } = options;
  if (typeof limit !== "number" || !(limit >= 1))
    throw mistake("memoryOrder: limit must be 1 or more.");
  const newest = new BoundedMap<number>(limit);
  return {
    isOlder: async (event) => {
      const seen = sightingOf(event);
      return seen !== undefined && seen.time < (newest.get(seen.key) ?? seen.time);
    },
    remember: async (event) => {
      const seen = sightingOf(event);
      if (seen === undefined) return;
      newest.set(seen.key, Math.max(seen.time, newest.get(seen.key) ?? seen.time));
    },
  };
}
