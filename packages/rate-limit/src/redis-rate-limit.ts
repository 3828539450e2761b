import { hasMethod, options, requires } from "@fieldmesh/core/internal";
import type { SharedRateLimit } from "@fieldmesh/http";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { NAME, sharedTable, shareThrough, type SharedRateLimitOptions } from "./share-through.ts";

/** A connected client of `ioredis` or `redis`. */
export type RedisStoreClient =
  | { defineCommand(name: string, definition: object): unknown }
  | { sendCommand(args: string[]): Promise<unknown> };

/**
 * Shares a limit between processes through Redis, with the limiter of rate-limiter-flexible.
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
  given: SharedRateLimitOptions = {},
): SharedRateLimit {
  const isIoredis = hasMethod(client, "defineCommand");
  if (!isIoredis && !hasMethod(client, "sendCommand"))
    throw requires("redisRateLimit", "a client of ioredis or redis", client);
  const { name = NAME, onError } = readOptions(given);
  const settings = {
    storeClient: client,
    keyPrefix: name,
    useRedisPackage: !isIoredis,
    // An outage must not delay calls, and commands that wait for a connection would.
    rejectIfRedisNotReady: true,
  };
  return shareThrough(onError, (limits) => new RateLimiterRedis({ ...settings, ...limits }));
}

const readOptions = /* @__PURE__ */ options<SharedRateLimitOptions>("redisRateLimit", sharedTable);
