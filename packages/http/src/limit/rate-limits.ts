import { systemClock } from "@fieldmesh/core";
import { createBudget, type Budget, type SharedTurns } from "./permits.ts";
import { givenRule } from "./given-rule.ts";
import { headersRule } from "./headers-rule.ts";
import { MINUTE } from "./rule.ts";
import type {
  KnownRateLimit,
  RateLimitOption,
  RateLimitState,
  SharedBudget,
  SharedRateLimit,
} from "./rate-limit-option.ts";

/** Keeps a client below the limits of its service. */
export interface Governor {
  /** Returns the budget for requests with this method. */
  budgetOf(method: string): Budget;
  state(): RateLimitState;
}

/**
 * Creates the governor of a client. `readOwner` returns the base URL and the credential. Their hash names the budget that
 * processes share.
 */
export function createGovernor(
  option: RateLimitOption,
  { countsWritesApart, readOwner }: { countsWritesApart: boolean; readOwner: () => string },
): Governor {
  const [reads, writes] = createBudgets(option, { countsWritesApart, readOwner });
  return {
    budgetOf: (method) => (method === "GET" ? reads : writes),
    state: () => ({ reads: reads.state(), writes: writes.state() }),
  };
}

function createBudgets(
  option: RateLimitOption,
  { countsWritesApart, readOwner }: { countsWritesApart: boolean; readOwner: () => string },
): readonly [reads: Budget, writes: Budget] {
  if (option === undefined || option === false) {
    const create = (): Budget => createBudget({ rules: option === false ? [] : [headersRule()] });
    const both = create();
    return [both, countsWritesApart ? create() : both];
  }
  const limits: KnownRateLimit = typeof option === "number" ? { requests: option } : option;
  const { window = MINUTE, shared } = limits;
  const create = (kind: string, limit: number): Budget =>
    createBudget({
      rules: [givenRule(limit, window), headersRule()],
      source: "option",
      shared: shared && turnsOf(shared, { readOwner, kind, limit, window }),
    });
  if ("reads" in limits) return [create("reads", limits.reads), create("writes", limits.writes)];
  const all = create("requests", limits.requests);
  return [all, all];
}

function turnsOf(
  store: SharedRateLimit,
  {
    readOwner,
    kind,
    limit,
    window,
  }: Omit<SharedBudget, "key"> & { readOwner: () => string; kind: string },
): SharedTurns {
  const hashOwner = keepHash(readOwner);
  const describe = async (): Promise<SharedBudget> => {
    return { key: `${await hashOwner()}:${kind}`, limit, window };
  };
  return {
    pace: window / limit / SHARES,
    // A store that fails or hangs does not delay calls.
    async take() {
      const ended = new AbortController();
      const tooLate = systemClock.sleep(LONGEST_TAKE, ended.signal).then(() => 0);
      try {
        return await Promise.race([describe().then((budget) => store.take(budget)), tooLate]);
      } catch {
        return 0;
      } finally {
        ended.abort();
      }
    },
    block: (milliseconds) =>
      void describe()
        .then((budget) => store.block(budget, milliseconds))
        .catch(() => undefined),
  };
}

// A single process can use the whole limit within a tenth of the window.
const SHARES = 10;
// Every working store responds within this time.
const LONGEST_TAKE = 2_000;
// Half of a SHA-256: collisions are practically impossible, and the key stays short.
const HASH_BYTES = 16;

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
  return [...new Uint8Array(digest).subarray(0, HASH_BYTES)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
