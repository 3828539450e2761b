import { type Clock, systemClock } from "@fieldmesh/core";
import type { Claim, IdempotencyStore } from "../stores/idempotency-store.ts";

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
  // Two generations: the newer one becomes the older one when it holds half of what is remembered. Forgetting a half at
  // once costs nothing per event, where deleting the first of a Map again and again would. Done events stand among the
  // leases, so that an event is looked up in two tables and not in three.
  let newer = new Map<string, Entry>();
  let older = new Map<string, Entry>();
  let doneInNewer = 0;
  const half = Math.ceil(limit / 2);

  const find = (id: string): Entry | undefined => newer.get(id) ?? older.get(id);
  const held = (id: string, token: string): Lease | undefined => {
    const entry = find(id);
    return entry !== DONE && entry?.token === token ? entry : undefined;
  };
  const forgetOlder = (): void => {
    const kept = new Map<string, Entry>();
    for (const [id, entry] of older) if (entry !== DONE && !newer.has(id)) kept.set(id, entry);
    older = newer;
    newer = kept;
    doneInNewer = 0;
  };

  return {
    claim: async (id, token, lease): Promise<Claim> => {
      const before = find(id);
      if (before === DONE) return { status: "done" };
      const now = clock.now();
      if (before !== undefined && before.token !== token && before.endsAt > now)
        return { status: "in_progress", endsIn: before.endsAt - now };
      const attempt = (before?.attempt ?? 0) + (before?.token === token ? 0 : 1);
      newer.set(id, { token, attempt, endsAt: now + lease });
      return { status: "claimed", attempt };
    },
    extend: async (id, token, lease) => {
      const mine = held(id, token);
      if (mine !== undefined) mine.endsAt = clock.now() + lease;
      return mine !== undefined;
    },
    complete: async (id, token) => {
      if (held(id, token) === undefined) return false;
      newer.set(id, DONE);
      doneInNewer += 1;
      if (doneInNewer >= half) forgetOlder();
      return true;
    },
    release: async (id, token) => {
      const mine = held(id, token);
      if (mine === undefined) return;
      if (newer.size - doneInNewer <= limit) {
        newer.set(id, { token: "", attempt: mine.attempt, endsAt: 0 });
      } else {
        // What failed for good is never completed: such events must not fill the memory either.
        newer.delete(id);
        older.delete(id);
      }
    },
  };
}

const DONE = "done";
type Entry = Lease | typeof DONE;

interface Lease {
  readonly token: string;
  readonly attempt: number;
  endsAt: number;
}
