import { checkOptionNames, describeValue, guardInput, hasMethod, tell } from "@fieldmesh/core";
import {
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import type { SharedBudget, SharedRateLimit } from "./limit/rate-limit-option.ts";

/** Options of {@link redisRateLimit} and {@link postgresRateLimit}. */
export interface SharedRateLimitOptions {
  /** What keys in Redis begin with, or the name of the table. @default "fieldmesh_rate_limit" */
  readonly name?: string | undefined;
  /**
   * Receives what the store throws. The calls are sent all the same, each process within the whole limit.
   *
   * @default - one line for each kind of error, by `console.warn`
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A client of `ioredis` or of `redis`, connected by you. */
export type RedisStoreClient =
  | { defineCommand(name: string, definition: object): unknown }
  | { sendCommand(args: string[]): Promise<unknown> };

/** A pool of `pg`. */
export interface PostgresStoreClient {
  query(query: { text: string; values?: unknown[] }): Promise<unknown>;
}

/**
 * Lets processes share a limit through Redis, with the limiter of rate-limiter-flexible. Install that package beside the client.
 *
 * Redis keeps a counter for each limit and window, under a hash of base URL and credential. A process that ends leaves its part to the others.
 *
 * @throws A TypeError for what is not a client of Redis, and for options that do not exist
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
  return guardInput("What redisRateLimit got", [client, options], () => {
    const isIoredis = hasMethod(client, "defineCommand");
    if (!isIoredis && !hasMethod(client, "sendCommand"))
      throw new TypeError(
        `redisRateLimit takes a client of ioredis or redis, and not ${describeValue(client)}.`,
      );
    const { name, onError } = readOptions("redisRateLimit", options);
    return shareThrough(onError, async (limits) => {
      const storeClient = client;
      return new RateLimiterRedis({
        ...limits,
        storeClient,
        keyPrefix: name,
        useRedisPackage: !isIoredis,
        // An outage must not hold back calls: commands that wait for a connection would.
        rejectIfRedisNotReady: true,
      });
    });
  });
}

/**
 * Lets processes share a limit through PostgreSQL, with the limiter of rate-limiter-flexible. Install that package beside the client.
 *
 * A table of its own is created at the first call. The clocks of the machines must agree within a second.
 *
 * @throws A TypeError for what is not a pool of PostgreSQL, and for options that do not exist
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
  return guardInput("What postgresRateLimit got", [pool, options], () => {
    if (!hasMethod(pool, "query"))
      throw new TypeError(`postgresRateLimit takes a Pool of pg, and not ${describeValue(pool)}.`);
    const { name, onError } = readOptions("postgresRateLimit", options);
    const create = (limits: Limits): Promise<RateLimiterAbstract> =>
      new Promise((resolve, reject) => {
        const settings = { ...limits, storeClient: pool, storeType: "pool", tableName: name };
        const limiter = new RateLimiterPostgres(settings, (error) =>
          error ? reject(error) : resolve(limiter),
        );
      });
    // PostgreSQL can reject a table that another process creates at the same moment.
    return shareThrough(onError, (limits) => create(limits).catch(() => create(limits)));
  });
}

const NAME = "fieldmesh_rate_limit";

/** The options, checked. */
function readOptions(
  owner: string,
  options: SharedRateLimitOptions,
): { readonly name: string; readonly onError: SharedRateLimitOptions["onError"] } {
  checkOptionNames(owner, options, ["name", "onError"]);
  const { name = NAME, onError } = options;
  if (typeof name !== "string" || name === "")
    throw new TypeError(`name of ${owner} must be a string that is not empty.`);
  if (onError !== undefined && typeof onError !== "function")
    throw new TypeError(
      `onError of ${owner} must be a function, and not ${describeValue(onError)}.`,
    );
  return { name, onError };
}

const SECOND = 1_000;
// Requests of one window can arrive later than they were counted, and those of the next one earlier.
const MARGIN = 1;

type Limits = Readonly<{ points: number; duration: number }>;

/** Makes a shared limit of what creates a limiter. */
function shareThrough(
  onError: SharedRateLimitOptions["onError"],
  create: (limits: Limits) => Promise<RateLimiterAbstract>,
): SharedRateLimit {
  const limiters = new Map<string, Promise<RateLimiterAbstract>>();

  function limiterOf({ limit, window }: SharedBudget): Promise<RateLimiterAbstract> {
    const key = `${limit} ${window}`;
    const known = limiters.get(key);
    if (known !== undefined) return known;
    const limiter = create({ points: limit, duration: Math.ceil(window / SECOND) + MARGIN });
    limiters.set(key, limiter);
    // Such as a table that could not be created: the next call tries again.
    limiter.catch(() => limiters.delete(key));
    return limiter;
  }

  function report(error: unknown): void {
    tell("onError", onError ?? warn, (hook) => hook(error));
  }

  return {
    async take(budget) {
      try {
        await (await limiterOf(budget)).consume(budget.key);
        return 0;
      } catch (rejected) {
        if (rejected instanceof RateLimiterRes) return Math.max(1, rejected.msBeforeNext);
        report(rejected);
        return 0;
      }
    },
    async block(budget, milliseconds) {
      try {
        await (await limiterOf(budget)).block(budget.key, Math.ceil(milliseconds / SECOND));
      } catch (error) {
        report(error);
      }
    },
  };
}

const warned = new Set<string>();

/** Shows the code alone: the message of a driver may hold an address with a password. */
function warn(error: unknown): void {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const kind = typeof code === "string" ? code : typeof name === "string" ? name : "an error";
  if (warned.has(kind)) return;
  warned.add(kind);
  // oxlint-disable-next-line no-console -- the user named no other place, and calls continue with less protection
  console.warn(
    `fieldmesh: the store of a shared rate limit failed (${kind}). Calls are sent within the limit of this process alone; see onError.`,
  );
}
