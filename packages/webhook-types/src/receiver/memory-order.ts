import { type ObjectOrder, sightingOf } from "../stores/object-order.ts";

/** How many objects are remembered by default. */
const DEFAULT_LIMIT = 100_000;

/**
 * Creates an order in the memory of this process: an event that is older than one of the same object, by `created_at`, is
 * answered 2xx and not handled. For several processes there are `redisOrder` and `postgresOrder`.
 *
 * Only for handlers that copy the newest snapshot: a handler of `invoice.finalized` does not run once `invoice.paid` came
 * first. Two events of the same object that arrive together may both be handled, in any order. Events whose object has
 * no id, and events of the same time, are always handled. The objects that were heard of longest ago are forgotten first.
 *
 * @example
 * ```ts
 * createReceiver({ secret, store: memoryStore(), order: memoryOrder(), handlers });
 * ```
 */
export function memoryOrder({ limit = DEFAULT_LIMIT }: { limit?: number } = {}): ObjectOrder {
  if (!(limit >= 1)) throw new TypeError("memoryOrder: limit must be 1 or more.");
  const times = new Map<string, number>();
  return {
    isOlder: async (event) => {
      const seen = sightingOf(event);
      const newest = seen && times.get(seen.id);
      return newest !== undefined && seen !== undefined && seen.time < newest;
    },
    remember: async (event) => {
      const seen = sightingOf(event);
      if (seen === undefined) return;
      const { id, time } = seen;
      const newest = Math.max(time, times.get(id) ?? time);
      // Last in the order of a Map is what was heard of last.
      times.delete(id);
      times.set(id, newest);
      if (times.size > limit) times.delete(times.keys().next().value ?? id);
    },
  };
}
