// Why it is so: docs/decisions/35-every-wait-has-an-end.md
import {
  getOrInsertComputed,
  monotonicClock,
  notify,
  within,
  mistake,
} from "@fieldmesh/core/internal";
import type { SharedCounter, SharedRateLimit } from "./rate-limit-option.ts";

// Every working store responds within this time.
const LONGEST_WAIT = 500;
const FIRST_ABSENCE = 10_000;
const LONGEST_ABSENCE = 60_000;
const HANGS =
  "The store of a shared rate limit did not respond within 500 ms. Each process uses the whole limit until it responds: check that it is reachable.";

type GuardedStore = ReturnType<typeof createGuard>;

const guarded = new WeakMap<SharedRateLimit, GuardedStore>();

/** Returns the guard of a store, the same one for all clients that share through it: its failures delay no call. */
export function guardStore(store: SharedRateLimit): GuardedStore {
  return getOrInsertComputed(guarded, store, createGuard);
}

/**
 * After a store has hung or failed, no call asks it for 10 s. Then one tries it again in the background, while calls still count
 * alone. If that fails too, the next time is twice as long, up to a minute.
 */
function createGuard(store: SharedRateLimit) {
  let absence = 0;
  let tryAgainAt = 0;
  let isTrying = false;

  async function ask<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (absence === 0) return await attempt(work);
    if (!isTrying && monotonicClock.now() >= tryAgainAt) void tryAgain(work);
    return undefined;
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await within(LONGEST_WAIT, work, HANGS);
      absence = 0;
      return result;
    } catch (error) {
      // Several that fail at the same time are one absence.
      if (absence === 0 || isTrying) begin(error);
      return undefined;
    }
  }

  function begin(error: unknown): void {
    absence = Math.min(Math.max(FIRST_ABSENCE, absence * 2), LONGEST_ABSENCE);
    tryAgainAt = monotonicClock.now() + absence;
    notify("onError", store.onError, (call) => call(error));
  }

  async function tryAgain(work: () => Promise<unknown>): Promise<void> {
    isTrying = true;
    await attempt(work);
    isTrying = false;
  }

  return {
    /** Works like `take` of the store. Resolves with `undefined` if the store did not count the request. */
    take: (counter: SharedCounter) => ask(async () => checkWait(await store.take(counter))),
    block: (counter: SharedCounter, length: number) => ask(() => store.block(counter, length)),
  };
}

function checkWait(wait: unknown): number {
  if (typeof wait === "number" && wait >= 0) return wait;
  throw mistake(
    "take of a shared rate limit must resolve with a number of milliseconds from 0 up.",
  );
}
