import { options } from "@fieldmesh/core/internal";
import { BoundedMap, readLimit } from "./bounded-map.ts";
import { firstClaimKey, type ObjectOrder, ofObject, type Sighting } from "./object-order.ts";

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

const readOptions = /* @__PURE__ */ options<MemoryOrderOptions>("memoryOrder", {
  limit: readLimit,
});
const DEFAULT_LIMIT = 100_000;

/**
 * Creates an `ObjectOrder` in the memory of this process. An event that is older, by `created_at`, than another one of the same
 * object gets a 2xx response and is not handled. For several processes, use `redisOrder` or `postgresOrder`. It cannot be used with an
 * inbox.
 *
 * Two events concern the same object if their types are of one family, such as `sim.*`, and `data.object.id` is the same.
 *
 * Use it only for handlers that copy the newest snapshot: a handler of `invoice.finalized` does not run after that of
 * `invoice.paid`. Two events of the same object that arrive together may both be handled, in any order. Events whose object has no
 * id, events of the same time, and events that no handler receives but `otherwise` are always handled.
 *
 * @example
 * ```ts
 * createReceiver({ secret, store: memoryStore(), order: memoryOrder(), handlers });
 * ```
 */
export function memoryOrder(given: MemoryOrderOptions = {}): ObjectOrder {
  const { limit = DEFAULT_LIMIT } = readOptions(given);
  const newest = new BoundedMap<number>(limit);
  const firstClaims = new BoundedMap<number>(limit);
  const counted = ({ time, firstClaim }: Sighting) => firstClaims.get(firstClaim) ?? time;
  return {
    isOlder: ofObject(false, async (seen) => counted(seen) < (newest.get(seen.key) ?? -Infinity)),
    remember: ofObject(undefined, async (seen) => {
      newest.set(seen.key, Math.max(counted(seen), newest.get(seen.key) ?? -Infinity));
    }),
    firstClaim: async (event, now) => {
      const key = firstClaimKey(event);
      const time = firstClaims.get(key) ?? now;
      firstClaims.set(key, time);
      return time;
    },
  };
}
