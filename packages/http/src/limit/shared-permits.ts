import { monotonicClock, toHex } from "@fieldmesh/core/internal";
import { LONGEST_PAUSE } from "../wire/hint.ts";
import { guardStore } from "./guard-store.ts";
import type { SharedCounter, SharedRateLimit } from "./rate-limit-option.ts";

export type SharedPermits = ReturnType<typeof createSharedPermits>;

// A single process can use the whole limit within a tenth of the window.
const SHARES = 10;
// A store counts whole seconds, and a second more.
const MARGIN = 2_000;
// Half of a SHA-256: collisions are practically impossible, and the key stays short.
const HASH_BYTES = 16;

/** Creates the permits of a limit that several processes share. `readOwner` returns base URL and credential, whose hash is a part of the store's key. */
export function createSharedPermits(
  store: SharedRateLimit,
  given: Omit<SharedCounter, "key"> & { readOwner: () => string; kind: string },
) {
  const { readOwner, kind, limit, window } = given;
  const now = (): number => monotonicClock.now();
  const hashOwner = keepHash(readOwner);
  const guarded = guardStore(store);
  // So that a process that is slightly late still gets its share.
  const interval = window / limit / SHARES;
  // A longer wait is a block that another program has set. It is believed as long as a hint of the service.
  const longestWait = Math.max(LONGEST_PAUSE, window + MARGIN);
  let testAt = Infinity;
  let blockedUntil = 0;

  const describe = async (): Promise<SharedCounter> => {
    return { key: `${await hashOwner()}:${kind}`, limit, window };
  };

  function believe(wait: number): number {
    if (wait <= longestWait) testAt = Infinity;
    else if (now() >= testAt) {
      testAt = now() + longestWait;
      return 0;
    } else if (testAt === Infinity) testAt = now() + longestWait;
    return wait <= longestWait ? wait : testAt - now();
  }

  return {
    /** Asks for a permit. Returns whether one was taken, and the milliseconds until the next take. Never rejects. */
    async take(): Promise<{ readonly isTaken: boolean; readonly wait: number }> {
      const wait = await describe().then((counter) => guarded.take(counter));
      if (wait === undefined) return { isTaken: true, wait: 0 };
      const believed = believe(wait);
      return believed > 0 ? { isTaken: false, wait: believed } : { isTaken: true, wait: interval };
    },
    /** Counts a request that does not wait. */
    count: (): void => void describe().then((counter) => guarded.take(counter)),
    /** Blocks all processes for some milliseconds. A shorter block never shortens a longer one. */
    block(milliseconds: number): void {
      const length = Math.min(milliseconds, LONGEST_PAUSE);
      if (now() + length <= blockedUntil) return;
      blockedUntil = now() + length;
      void describe().then((counter) => guarded.block(counter, length));
    },
  };
}

/** Hashes the credential, because everyone with access to the store can read the key. Hashes again after the credential changes. */
function keepHash(readOwner: () => string): () => Promise<string> {
  let last: { readonly owner: string; readonly hash: Promise<string> } | undefined;
  return () => {
    const owner = readOwner();
    if (last?.owner !== owner) last = { owner, hash: sha256(owner) };
    return last.hash;
  };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest).subarray(0, HASH_BYTES));
}
