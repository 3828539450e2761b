export {
  postgresRateLimit,
  type PostgresRateLimitOptions,
  postgresRateLimitTable,
} from "./postgres-rate-limit.ts";
export { redisRateLimit } from "./redis-rate-limit.ts";
export type { PgClient, PgPool, RedisClient } from "@fieldmesh/core/internal/database";
export type { SharedRateLimitOptions } from "./share-through.ts";
// For `declaration: true` in code that exports a shared limit: under pnpm, a consumer cannot name types that only http exports.
export type { SharedCounter, SharedRateLimit } from "@fieldmesh/http";
