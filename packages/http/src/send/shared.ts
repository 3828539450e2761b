import { isSecret, revealText } from "@fieldmesh/core/internal";
import type { Settings } from "../options/settings.ts";
import type { Credential } from "../options/credential.ts";
import type { Service } from "../options/service.ts";
import type { RateLimitOption } from "../limit/rate-limit-option.ts";
import { createKey, type Key } from "./key.ts";
import { createRateLimits, type RateLimits } from "../limit/rate-limits.ts";
import { createPause, type Pause } from "../limit/pause.ts";
import { createPlaces, type Places } from "../limit/places.ts";

/** What clients with the same server and credential share, because a limit counts all of their requests. */
export interface Shared {
  readonly server: string;
  readonly credential: Credential | undefined;
  readonly key: Key | undefined;
  readonly budget: RetryBudget;
  readonly pause: Pause;
  readonly pauseOfWrites: Pause;
  readonly rateLimit: RateLimitOption;
  readonly places: Places;
  /** Returns the current base URL and credential. */
  readonly readOwner: () => string;
  readonly limits: RateLimits;
}

/** Returns what the client shares with the client that it was created from. Creates new parts if the server or the credential differs. */
export function shareWith(
  other: Shared | undefined,
  own: Pick<Shared, "server" | "credential"> & { settings: Settings; service: Service },
): Shared {
  const { server, credential, settings, service } = own;
  const { rateLimit, maxConcurrent } = settings;
  const countsWritesApart = service.countsWritesApart === true;
  if (other?.server === server && keyOf(other.credential) === keyOf(credential)) {
    const { readOwner } = other;
    const places =
      other.places.limit === maxConcurrent ? other.places : createPlaces(maxConcurrent);
    if (other.rateLimit === rateLimit && other.places === places) return other;
    const limits = createRateLimits(rateLimit, { countsWritesApart, readOwner, places });
    return { ...other, rateLimit, places, limits };
  }
  const pause = createPause(settings);
  const places = createPlaces(maxConcurrent);
  const key = credential && createKey(credential);
  let lastKey = "";
  // While a rejected key is being replaced, requests are counted under the last one.
  const readOwner = (): string => `${server} ${(lastKey = key?.current() ?? lastKey)}`;
  return {
    server,
    credential,
    key,
    rateLimit,
    places,
    readOwner,
    limits: createRateLimits(rateLimit, { countsWritesApart, readOwner, places }),
    budget: createRetryBudget(),
    pause,
    pauseOfWrites: countsWritesApart ? createPause(settings) : pause,
  };
}

/** A function counts as the same credential if it is the same function. */
function keyOf(credential: Credential | undefined): unknown {
  const value = credential?.value;
  return isSecret(value) ? revealText(value) : value;
}

// Measured over 1,000 calls during an outage: 500 / 14 = 35 retries, 1.035 requests per call. If 10 % of requests fail, a
// successful retry refunds its price, so that 99.9 % of the calls still succeed.
const CAPACITY = 500;
const COST = 14;
const EARNED = 1;

export type RetryBudget = ReturnType<typeof createRetryBudget>;

/** Creates the budget of one client. It must not multiply the load on a failing server, so each retry has a price. */
export function createRetryBudget() {
  let tokens = CAPACITY;
  return {
    /** Pays for one retry. Returns false if the budget is too low. */
    spend(): boolean {
      if (tokens < COST) return false;
      tokens -= COST;
      return true;
    },
    /** After a success, refunds its retries, or adds a little if it needed none. */
    succeeded(retries: number): void {
      tokens = Math.min(CAPACITY, tokens + Math.max(EARNED, retries * COST));
    },
  };
}
