import {
  checkOptionNames,
  describeValue,
  guardInput,
  hasMethod,
  monotonicClock,
  notify,
  within,
} from "@fieldmesh/core";
import {
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import { ensureTable, NAME, type PostgresStoreClient } from "./rate-limit-table.ts";
import type { SharedCounter, SharedRateLimit } from "./rate-limit-option.ts";

/** Options of {@link redisRateLimit} and {@link postgresRateLimit}. */
export interface SharedRateLimitOptions {
  /** The prefix of the keys in Redis, or the name of the table. @default "fieldmesh_rate_limit" */
  readonly name?: string | undefined;
  /**
   * Receives the errors of the store. Calls are sent nevertheless, and each process then uses the whole limit. If the store hangs,
   * calls wait for it once, for 500 ms, and then not for 10 to 60 s.
   *
   * @default - one `console.warn` for each kind of error
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Options of {@link postgresRateLimit}. */
export interface PostgresRateLimitOptions extends SharedRateLimitOptions {
  /**
   * Whether to create the table if it does not exist. With `false`, the first call requires the table of
   * `postgresRateLimitTable`, and the role needs the rights to select, insert, update and delete.
   *
   * @default true
   */
  readonly createTable?: boolean | undefined;
}

/** A connected client of `ioredis` or `redis`. */
export type RedisStoreClient =
  | { defineCommand(name: string, definition: object): unknown }
  | { sendCommand(args: string[]): Promise<unknown> };

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
 * The first call creates a table, unless it exists. Where the role of the pool may not create tables, run the SQL of
 * `postgresRateLimitTable` with your migrations. The clocks of the machines must agree within a second.
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
  options: PostgresRateLimitOptions = {},
): SharedRateLimit {
  return guardInput("An argument of postgresRateLimit", [pool, options], () => {
    if (!hasMethod(pool, "query"))
      throw new TypeError(`postgresRateLimit requires a Pool of pg, not ${describeValue(pool)}.`);
    const { createTable = true, ...rest } = Object(options) as PostgresRateLimitOptions;
    const { name, onError } = readOptions("postgresRateLimit", rest);
    if (typeof createTable !== "boolean")
      throw new TypeError(
        `createTable of postgresRateLimit must be true or false, not ${describeValue(createTable)}.`,
      );
    const ensure = createTable ? ensureTable(pool, name) : async () => undefined;
    const settings = { storeClient: pool, storeType: "pool", tableName: name, tableCreated: true };
    return shareThrough(onError, async (limits) => {
      await ensure();
      return new RateLimiterPostgres({ ...settings, ...limits });
    });
  });
}

/** The next try after a limiter could not be created: a statement for each call would burden the database. */
const CREATE_AGAIN_AFTER = 10_000;
const LONGEST_CREATE = 10_000;
const CREATE_HANGS =
  "The store of a shared rate limit did not respond within 10 s. Check that it is reachable.";

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
type Limiter = RateLimiterAbstract | undefined;

/** Creates a shared limit from a function that creates a limiter. */
function shareThrough(
  onError: SharedRateLimitOptions["onError"],
  create: (limits: Limits) => Promise<RateLimiterAbstract>,
): SharedRateLimit {
  const limiters = new Map<string, { readonly limiter: Promise<Limiter>; until: number }>();

  /** Resolves with `undefined`, after one report, if the limiter could not be created a moment ago. */
  function limiterOf({ limit, window }: SharedCounter): Promise<Limiter> {
    const key = `${limit} ${window}`;
    const known = limiters.get(key);
    if (known !== undefined && monotonicClock.now() < known.until) return known.limiter;
    const limits = { points: limit, duration: Math.ceil(window / SECOND) + MARGIN };
    const created = { limiter: creating(limits), until: Infinity };
    limiters.set(key, created);
    void created.limiter.then((limiter) => {
      if (limiter === undefined) created.until = monotonicClock.now() + CREATE_AGAIN_AFTER;
    });
    return created.limiter;
  }

  function creating(limits: Limits): Promise<Limiter> {
    return within(LONGEST_CREATE, () => create(limits), CREATE_HANGS).catch((error: unknown) => {
      report(error);
      return undefined;
    });
  }

  function report(error: unknown): void {
    notify("onError", onError ?? warn, (hook) => hook(error));
  }

  return {
    async take(counter) {
      try {
        await (await limiterOf(counter))?.consume(counter.key);
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
        if (limiter === undefined) return;
        const counted = await limiter.get(counter.key);
        // The limiter would shorten a longer block.
        const isBlocked = counted !== null && counted.consumedPoints > counter.limit;
        if (isBlocked && counted.msBeforeNext >= milliseconds) return;
        await limiter.block(counter.key, Math.ceil(milliseconds / SECOND));
      } catch (error) {
        report(error);
      }
    },
    onError: report,
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
