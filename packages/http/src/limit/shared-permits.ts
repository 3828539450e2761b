import { monotonicClock, toHex } from "@fieldmesh/core";
import { LONGEST_PAUSE } from "../wire/hint.ts";
import { guardStore } from "./guard-store.ts";
import type { SharedCounter, SharedRateLimit } from "./rate-limit-option.ts";

/** The permits of a limit that several processes share. */
export interface SharedPermits {
  /** Resolves with the milliseconds until the next try, or with 0 if it took a permit. Never rejects. */
  take(): Promise<number>;
  /** Counts a request that does not wait. */
  count(): void;
  /**
   * Milliseconds between two permits of one process, so that a process that is slightly late still gets its share. 0 while the
   * store does not count.
   */
  readonly interval: number;
  /** Blocks all processes for some milliseconds. A shorter block never shortens a longer one. */
  block(milliseconds: number): void;
}

// A single process can use the whole limit within a tenth of the window.
const SHARES = 10;
// A store counts whole seconds, and a second more.
const MARGIN = 2_000;
// Half of a SHA-256: collisions are practically impossible, and the key stays short.
const HASH_BYTES = 16;

/** Creates the permits of a store. `readOwner` returns base URL and credential, whose hash is a part of the store's key. */
export function createSharedPermits(
  store: SharedRateLimit,
  {
    readOwner,
    kind,
    limit,
    window,
  }: Omit<SharedCounter, "key"> & { readOwner: () => string; kind: string },
): SharedPermits {
  const now = (): number => monotonicClock.now();
  const hashOwner = keepHash(readOwner);
  const guarded = guardStore(store);
  let isCounted = true;
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
    get interval() {
      return isCounted ? window / limit / SHARES : 0;
    },
    // A store that fails or hangs does not delay calls.
    async take() {
      const wait = await describe().then((counter) => guarded.take(counter));
      isCounted = wait !== undefined;
      return wait === undefined ? 0 : believe(wait);
    },
    count: () => void describe().then((counter) => guarded.take(counter)),
    block(milliseconds) {
      const length = Math.min(milliseconds, LONGEST_PAUSE);
      if (now() + length <= blockedUntil) return;
      blockedUntil = now() + length;
      void describe()
        .then((counter) => store.block(counter, length))
        .catch(() => undefined);
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
