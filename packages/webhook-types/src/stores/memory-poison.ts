import { anything, type Clock, options, systemClock } from "@fieldmesh/core/internal";
import { readLimit } from "./bounded-map.ts";
import { type PayloadOptions, readPayloads } from "./store-options.ts";
import { LONGEST_LIST, type KeptEvent, type PoisonStore, toListed } from "./poison-store.ts";

/** Options of {@link memoryPoison}. */
export interface MemoryPoisonOptions extends PayloadOptions {
  /** The number of failing events to remember. Events that were set aside are never forgotten. @default 1_000 */
  readonly limit?: number | undefined;
  /** The clock for the times in the list. @default systemClock */
  readonly clock?: Clock | undefined;
}

const readOptions = /* @__PURE__ */ options<MemoryPoisonOptions>("memoryPoison", {
  payload: readPayloads,
  limit: readLimit,
  clock: anything,
});

/**
 * Creates a list of failing events in the memory of this process, for tests and for a process that may forget them. An event that
 * was set aside is lost when the process ends. `sqlitePoison` and `postgresPoison` keep it.
 *
 * When `limit` events are set aside, no further event is set aside: its sender keeps retrying.
 *
 * @example
 * ```ts
 * const poison = { store: memoryPoison({ payload: "withoutSecrets" }), attempts: 3 };
 * ```
 */
export function memoryPoison(given: MemoryPoisonOptions = {}): PoisonStore {
  const { payload: payloads, limit = LONGEST_LIST, clock = systemClock } = readOptions(given);
  const failing = new Map<string, Failing>();
  const setAside = new Map<string, KeptEvent>();

  return {
    payload: payloads,
    fail: async ({ id, type, error }) => {
      const lastFailedAt = new Date(clock.now());
      const kept = setAside.get(id);
      const before = kept ?? failing.get(id);
      const attempts = (before?.attempts ?? 0) + 1;
      const firstFailedAt = before?.firstFailedAt ?? lastFailedAt;
      const now = { id, type, error, attempts, firstFailedAt, lastFailedAt };
      if (kept !== undefined) setAside.set(id, { ...kept, ...now });
      else failing.set(id, now);
      // The event that began to fail first.
      const [oldest] = failing.keys();
      if (oldest !== undefined && failing.size > limit) failing.delete(oldest);
      return attempts;
    },
    setAside: async (id, payload) => {
      const event = failing.get(id);
      const kept = setAside.get(id);
      if (kept !== undefined) {
        setAside.set(id, { ...kept, payload: kept.payload ?? payload });
        return true;
      }
      if (event === undefined || setAside.size >= limit) return false;
      failing.delete(id);
      setAside.set(id, { ...event, setAsideAt: new Date(clock.now()), payload });
      return true;
    },
    list: async () => [...setAside.values()].slice(0, LONGEST_LIST).map(toListed),
    get: async (id) => setAside.get(id),
    remove: async (id) => {
      failing.delete(id);
      setAside.delete(id);
    },
  };
}

type Failing = Omit<KeptEvent, "setAsideAt" | "payload">;
