// An entry of its own, because it requires rate-limiter-flexible, an optional peer.
export {
  postgresRateLimit,
  redisRateLimit,
  type PostgresRateLimitOptions,
  type RedisStoreClient,
  type SharedRateLimitOptions,
} from "./limit/shared-rate-limit.ts";
export { postgresRateLimitTable, type PostgresStoreClient } from "./limit/rate-limit-table.ts";
