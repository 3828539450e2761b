import { anything, type Clock, options, steadyClock } from "@fieldmesh/core/internal";
import { BoundedMap, readLimit } from "./bounded-map.ts";
import type { Claim, LeasableStore } from "./idempotency-store.ts";

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * The number of done events that are remembered at least. At most, there are twice as many. The oldest are forgotten first. An id
   * needs about 150 bytes.
   *
   * @default 100_000
   */
  limit?: number | undefined;
  /** The clock for leases. @default that of the machine, as if it were never set */
  clock?: Clock | undefined;
}

const readOptions = /* @__PURE__ */ options<MemoryStoreOptions>("memoryStore", {
  limit: readLimit,
  clock: anything,
});
const DEFAULT_LIMIT = 100_000;

/**
 * Creates a store in the memory of this process. Use it for tests, and for a single process whose handlers may run again after a
 * restart. Other processes do not share it.
 *
 * @example
 * ```ts
 * const receive = createReceiver({ secret: "whsec_test_secret_only", store: memoryStore(), handlers: {} });
 * ```
 */
export function memoryStore(given: MemoryStoreOptions = {}): LeasableStore {
  const { limit = DEFAULT_LIMIT, clock: ownClock } = readOptions(given);
  const clock = steadyClock(ownClock);
  const done = new BoundedMap<true>(limit);
  const leases = new Map<string, Lease>();
  const held = (id: string, token: string): Lease | undefined => {
    const lease = leases.get(id);
    return lease?.token === token ? lease : undefined;
  };

  return {
    claim: async (id, token, duration): Promise<Claim> => {
      if (done.get(id)) return { status: "done" };
      const now = clock.now();
      const before = leases.get(id);
      const isMine = before?.token === token;
      if (before !== undefined && !isMine && before.endsAt > now)
        return { status: "in_progress", endsIn: before.endsAt - now, heldFor: now - before.since };
      const attempt = (before?.attempt ?? 0) + (isMine ? 0 : 1);
      leases.set(id, { token, attempt, since: now, endsAt: now + duration });
      return { status: "claimed", attempt };
    },
    extend: async (id, token, duration) => {
      const lease = held(id, token);
      if (lease !== undefined) lease.endsAt = clock.now() + duration;
      return lease !== undefined;
    },
    complete: async (id, token) => {
      if (held(id, token) === undefined) return false;
      leases.delete(id);
      done.set(id, true);
      return true;
    },
    release: async (id, token) => {
      const lease = held(id, token);
      if (lease === undefined) return;
      // An event that always fails is never completed. Such events must not fill the memory either.
      if (leases.size > limit) leases.delete(id);
      else leases.set(id, { token: "", attempt: lease.attempt, since: 0, endsAt: 0 });
    },
    forget: async (id, token) => {
      if (held(id, token) !== undefined) leases.delete(id);
    },
  };
}

interface Lease {
  readonly token: string;
  readonly attempt: number;
  readonly since: number;
  endsAt: number;
}
