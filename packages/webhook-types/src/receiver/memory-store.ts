import { type Clock, systemClock } from "@fieldmesh/core";
import type { Claim, IdempotencyStore } from "../stores/idempotency-store.js";

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** How many done events are remembered; the oldest are forgotten first. An id costs about 150 bytes. @default 100_000 */
  limit?: number | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

const DEFAULT_LIMIT = 100_000;

/**
 * Creates a store in the memory of this process: for tests, and for one process whose handlers may run again after it
 * was restarted. A second process knows nothing of it.
 *
 * @example
 * ```ts
 * const receive = createReceiver({ secret: "whsec_test", store: memoryStore(), handlers: {} });
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): IdempotencyStore {
  const { limit = DEFAULT_LIMIT, clock = systemClock } = options;
  if (!(limit >= 1)) throw new TypeError("memoryStore: limit must be 1 or more.");
  // Two sets of keys in the order of their age; the newer one becomes the older one when it is full. Forgetting a
  // half at once costs nothing per event, where deleting the first of a Map again and again would.
  const done = { newer: new Set<string>(), older: new Set<string>() };
  const half = Math.ceil(limit / 2);
  const open = new Map<string, Lease>();

  const held = (id: string, token: string): Lease | undefined => {
    const lease = open.get(id);
    return lease?.token === token ? lease : undefined;
  };
  const markDone = (id: string) => {
    done.newer.add(id);
    if (done.newer.size < half) return;
    done.older = done.newer;
    done.newer = new Set();
  };

  return {
    claim: async (id, token, lease): Promise<Claim> => {
      if (done.newer.has(id) || done.older.has(id)) return { status: "done" };
      const now = clock.now();
      const before = open.get(id);
      if (before !== undefined && before.token !== token && before.endsAt > now)
        return { status: "in_progress", endsIn: before.endsAt - now };
      const attempt = (before?.attempt ?? 0) + (before?.token === token ? 0 : 1);
      open.set(id, { token, attempt, endsAt: now + lease });
      return { status: "claimed", attempt };
    },
    extend: async (id, token, lease) => {
      const mine = held(id, token);
      if (mine !== undefined) mine.endsAt = clock.now() + lease;
      return mine !== undefined;
    },
    complete: async (id, token) => {
      if (held(id, token) === undefined) return false;
      open.delete(id);
      markDone(id);
      return true;
    },
    release: async (id, token) => {
      const mine = held(id, token);
      if (mine === undefined) return;
      // What failed for good is never completed: such events must not fill the memory either.
      if (open.size > limit) open.delete(id);
      else open.set(id, { token: "", attempt: mine.attempt, endsAt: 0 });
    },
  };
}

interface Lease {
  readonly token: string;
  readonly attempt: number;
  endsAt: number;
}
