// An entry of its own, because it requires rate-limiter-flexible, an optional peer.
export {
  postgresRateLimit,
  redisRateLimit,
  type PostgresStoreClient,
  type RedisStoreClient,
  type SharedRateLimitOptions,
} from "./limit/shared-rate-limit.ts";
