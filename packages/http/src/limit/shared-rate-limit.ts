import { checkOptionNames, describeValue, guardInput, hasMethod, notify } from "@fieldmesh/core";
import {
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import type { SharedCounter, SharedRateLimit } from "./rate-limit-option.ts";

/** Options of {@link redisRateLimit} and {@link postgresRateLimit}. */
export interface SharedRateLimitOptions {
  /** The prefix of the keys in Redis, or the name of the table. @default "fieldmesh_rate_limit" */
  readonly name?: string | undefined;
  /**
   * Receives the errors of the store. Calls are sent nevertheless, and each process then uses the whole limit.
   *
   * @default - one `console.warn` for each kind of error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A connected client of `ioredis` or `redis`. */
export type RedisStoreClient =
  | { defineCommand(name: string, definition: object): unknown }
  | { sendCommand(args: string[]): Promise<unknown> };

/** A pool of `pg`. */
export interface PostgresStoreClient {
  query(query: { text: string; values?: unknown[] }): Promise<unknown>;
}

/**
 * Shares a limit between processes through Redis, with the limiter of rate-limiter-flexible. Install that package with the
 * client.
 *
 * Redis stores a counter for each limit and window, under a hash of base URL and credential. When a process ends, the others use
 * its share.
 *
 * @throws A TypeError for a value that is not a Redis client, and for unknown options
 * @example
 * ```ts
 * const client = createMobileClient({
 *   baseUrl, apiKey,
 *   rateLimit: { ...rateLimits.mobile, shared: redisRateLimit(new Redis(process.env.REDIS_URL)) },
 * });
 * ```
 */
export function redisRateLimit(
  client: RedisStoreClient,
  options: SharedRateLimitOptions = {},
): SharedRateLimit {
  return guardInput("An argument of redisRateLimit", [client, options], () => {
    const isIoredis = hasMethod(client, "defineCommand");
    if (!isIoredis && !hasMethod(client, "sendCommand"))
      throw new TypeError(
        `redisRateLimit requires a client of ioredis or redis, not ${describeValue(client)}.`,
      );
    const { name, onError } = readOptions("redisRateLimit", options);
    return shareThrough(onError, async (limits) => {
      const storeClient = client;
      return new RateLimiterRedis({
        ...limits,
        storeClient,
        keyPrefix: name,
        useRedisPackage: !isIoredis,
        // An outage must not delay calls, and commands that wait for a connection would.
        rejectIfRedisNotReady: true,
      });
    });
  });
}

/**
 * Shares a limit between processes through PostgreSQL, with the limiter of rate-limiter-flexible. Install that package with the
 * client.
 *
 * The first call creates a table. The clocks of the machines must agree within a second.
 *
 * @throws A TypeError for a value that is not a PostgreSQL pool, and for unknown options
 * @example
 * ```ts
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * pool.on("error", (error) => console.error(error.message));
 * const client = createConsoleClient({
 *   baseUrl, apiKey,
 *   rateLimit: { ...rateLimits.hostedConsole, shared: postgresRateLimit(pool) },
 * });
 * ```
 */
export function postgresRateLimit(
  pool: PostgresStoreClient,
  options: SharedRateLimitOptions = {},
): SharedRateLimit {
  return guardInput("An argument of postgresRateLimit", [pool, options], () => {
    if (!hasMethod(pool, "query"))
      throw new TypeError(`postgresRateLimit requires a Pool of pg, not ${describeValue(pool)}.`);
    const { name, onError } = readOptions("postgresRateLimit", options);
    const create = (limits: Limits): Promise<RateLimiterAbstract> =>
      new Promise((resolve, reject) => {
        const settings = { ...limits, storeClient: pool, storeType: "pool", tableName: name };
        const limiter = new RateLimiterPostgres(settings, (error) =>
          error ? reject(error) : resolve(limiter),
        );
      });
    // PostgreSQL can report an error for a table that another process creates at the same moment.
    return shareThrough(onError, (limits) => create(limits).catch(() => create(limits)));
  });
}

const NAME = "fieldmesh_rate_limit";

/** Returns the checked options. */
function readOptions(
  owner: string,
  options: SharedRateLimitOptions,
): { readonly name: string; readonly onError: SharedRateLimitOptions["onError"] } {
  checkOptionNames(owner, options, ["name", "onError"]);
  const { name = NAME, onError } = options;
  if (typeof name !== "string" || name === "")
    throw new TypeError(`name of ${owner} must be a non-empty string.`);
  if (onError !== undefined && typeof onError !== "function")
    throw new TypeError(`onError of ${owner} must be a function, not ${describeValue(onError)}.`);
  return { name, onError };
}

const SECOND = 1_000;
// Requests can arrive after the window in which they were counted, and those of the next window before it.
const MARGIN = 1;

type Limits = Readonly<{ points: number; duration: number }>;

/** Creates a shared limit from a function that creates a limiter. */
function shareThrough(
  onError: SharedRateLimitOptions["onError"],
  create: (limits: Limits) => Promise<RateLimiterAbstract>,
): SharedRateLimit {
  const limiters = new Map<string, Promise<RateLimiterAbstract>>();

  function limiterOf({ limit, window }: SharedCounter): Promise<RateLimiterAbstract> {
    const key = `${limit} ${window}`;
    const known = limiters.get(key);
    if (known !== undefined) return known;
    const limiter = create({ points: limit, duration: Math.ceil(window / SECOND) + MARGIN });
    limiters.set(key, limiter);
    // If the table could not be created, for example, the next call tries again.
    limiter.catch(() => limiters.delete(key));
    return limiter;
  }

  function report(error: unknown): void {
    notify("onError", onError ?? warn, (hook) => hook(error));
  }

  return {
    async take(counter) {
      try {
        await (await limiterOf(counter)).consume(counter.key);
        return 0;
      } catch (rejected) {
        if (rejected instanceof RateLimiterRes) return Math.max(1, rejected.msBeforeNext);
        report(rejected);
        return 0;
      }
    },
    async block(counter, milliseconds) {
      try {
        const limiter = await limiterOf(counter);
        const counted = await limiter.get(counter.key);
        // The limiter would shorten a longer block.
        const isBlocked = counted !== null && counted.consumedPoints > counter.limit;
        if (isBlocked && counted.msBeforeNext >= milliseconds) return;
        await limiter.block(counter.key, Math.ceil(milliseconds / SECOND));
      } catch (error) {
        report(error);
      }
    },
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
