// Why it is so: docs/decisions/35-every-wait-has-an-end.md
import { monotonicClock, notify, within } from "@fieldmesh/core";
import type { SharedCounter, SharedRateLimit } from "./rate-limit-option.ts";

/** A shared store that delays no call when it does not respond. */
export interface GuardedStore {
  /** Works like `take` of the store. Resolves with `undefined` if the store did not count the request. Never rejects. */
  take(counter: SharedCounter): Promise<number | undefined>;
}

// Every working store responds within this time.
const LONGEST_TAKE = 500;
const FIRST_ABSENCE = 10_000;
const LONGEST_ABSENCE = 60_000;
const HANGS =
  "The store of a shared rate limit did not respond within 500 ms. Each process uses the whole limit until it responds: check that it is reachable.";

const guarded = new WeakMap<SharedRateLimit, GuardedStore>();

/** Returns the guard of a store, the same one for all clients that share through it. */
export function guardStore(store: SharedRateLimit): GuardedStore {
  const known = guarded.get(store);
  if (known !== undefined) return known;
  const guard = createGuard(store);
  guarded.set(store, guard);
  return guard;
}

/**
 * After one take that hangs, no call waits for the store for 10 s. Then one take in the background tries it again, while calls still
 * count alone. If that hangs too, the next time is twice as long, up to a minute.
 */
function createGuard(store: SharedRateLimit): GuardedStore {
  const now = (): number => monotonicClock.now();
  let absence = 0;
  let tryAgainAt = 0;
  let isTrying = false;

  async function ask(counter: SharedCounter): Promise<number | undefined> {
    const wait: unknown = await within(LONGEST_TAKE, () => store.take(counter), HANGS);
    absence = 0;
    return typeof wait === "number" && wait >= 0 ? wait : undefined;
  }

  function missed(error: unknown): undefined {
    // A store that throws delays no call, and other takes may have hung at the same time.
    if ((error as Error | undefined)?.message !== HANGS || (absence > 0 && !isTrying)) return;
    absence = Math.min(Math.max(FIRST_ABSENCE, absence * 2), LONGEST_ABSENCE);
    tryAgainAt = now() + absence;
    notify("onError", store.onError, (call) => call(error));
  }

  async function tryAgain(counter: SharedCounter): Promise<void> {
    isTrying = true;
    await ask(counter).catch(missed);
    isTrying = false;
  }

  return {
    async take(counter) {
      if (absence === 0) return await ask(counter).catch(missed);
      if (!isTrying && now() >= tryAgainAt) void tryAgain(counter);
      return undefined;
    },
  };
}
