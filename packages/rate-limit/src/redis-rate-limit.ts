import { options } from "@fieldmesh/core/internal";
import { openRedis, type RedisClient } from "@fieldmesh/core/internal/database";
import type { SharedRateLimit } from "@fieldmesh/http";
import { RateLimiterRedis } from "rate-limiter-flexible";
import {
  type Limits,
  NAME,
  sharedTable,
  shareThrough,
  type SharedRateLimitOptions,
} from "./share-through.ts";

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
  client: RedisClient,
  given: SharedRateLimitOptions = {},
): SharedRateLimit {
  const { isIoredis, run } = openRedis("redisRateLimit", client);
  const { name = NAME, onError } = readOptions(given);
  const settings = {
    storeClient: client,
    keyPrefix: name,
    useRedisPackage: !isIoredis,
    // An outage must not delay calls, and commands that wait for a connection would.
    rejectIfRedisNotReady: true,
  };
  const create = (limits: Limits) => new RateLimiterRedis({ ...settings, ...limits });
  return shareThrough(onError, create, { run });
}

const readOptions = /* @__PURE__ */ options<SharedRateLimitOptions>("redisRateLimit", sharedTable);
