import {
  aFunction,
  aString,
  getOrInsertComputed,
  type OptionTable,
} from "@fieldmesh/core/internal";
import type { SharedCounter, SharedRateLimit } from "@fieldmesh/http";
import { RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";

/** Options of {@link redisRateLimit} and {@link postgresRateLimit}. */
export interface SharedRateLimitOptions {
  /** The prefix of the keys in Redis, or the name of the table. @default "fieldmesh_rate_limit" */
  readonly name?: string | undefined;
  /**
   * Receives the errors of the store. Calls are sent nevertheless, and each process then uses the whole limit for 10 to 60 s before
   * the store is asked again. If the store hangs, calls wait for it once, for 500 ms.
   *
   * @default - one `console.warn` for each kind of error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export const NAME = "fieldmesh_rate_limit";

/** The checks of {@link SharedRateLimitOptions}. */
export const sharedTable: OptionTable<SharedRateLimitOptions> = {
  name: aString,
  onError: aFunction,
};

const SECOND = 1_000;
// Requests can arrive after the window in which they were counted, and those of the next window before it.
const MARGIN = 1;

export type Limits = Readonly<{ points: number; duration: number }>;

interface Through {
  /** Prepares the store for each call. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Runs what uses the client of the store. */
  readonly run?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}

/**
 * Creates a shared limit from a function that creates a limiter. What fails rejects: the clients decide how long they then count
 * alone.
 */
export function shareThrough(
  onError: SharedRateLimitOptions["onError"],
  create: (limits: Limits) => RateLimiterAbstract,
  { prepare = async () => undefined, run = (work) => work() }: Through = {},
): SharedRateLimit {
  const limiters = new Map<string, RateLimiterAbstract>();

  async function limiterOf({ limit, window }: SharedCounter): Promise<RateLimiterAbstract> {
    await prepare();
    return getOrInsertComputed(limiters, `${limit} ${window}`, () =>
      create({ points: limit, duration: Math.ceil(window / SECOND) + MARGIN }),
    );
  }

  return {
    async take(counter) {
      const limiter = await limiterOf(counter);
      try {
        await run(() => limiter.consume(counter.key));
        return 0;
      } catch (rejected) {
        if (rejected instanceof RateLimiterRes) return Math.max(1, rejected.msBeforeNext);
        throw rejected;
      }
    },
    async block(counter, milliseconds) {
      const limiter = await limiterOf(counter);
      const counted = await run(() => limiter.get(counter.key));
      // The limiter would shorten a longer block.
      const isBlocked = counted !== null && counted.consumedPoints > counter.limit;
      if (isBlocked && counted.msBeforeNext >= milliseconds) return;
      await run(() => limiter.block(counter.key, Math.ceil(milliseconds / SECOND)));
    },
    onError: onError ?? warn,
  };
}

const warned = new Set<string>();

/** Shows only the code: the message of a driver may contain an address with a password. */
function warn(error: unknown): void {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const kind = typeof code === "string" ? code : typeof name === "string" ? name : "an error";
  if (warned.has(kind)) return;
  warned.add(kind);
  // oxlint-disable-next-line no-console -- the user set no onError, and calls continue with less protection
  console.warn(
    `fieldmesh: the store of a shared rate limit failed (${kind}). Calls are sent within the limit of this process alone; see onError.`,
  );
}
