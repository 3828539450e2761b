export { postgresRateLimit, type PostgresRateLimitOptions } from "./postgres-rate-limit.ts";
export { postgresRateLimitTable, type PostgresStoreClient } from "./postgres-table.ts";
export { redisRateLimit, type RedisStoreClient } from "./redis-rate-limit.ts";
export type { SharedRateLimitOptions } from "./share-through.ts";
// For `declaration: true` in code that exports a shared limit: under pnpm, a consumer cannot name types that only http exports.
export type { SharedCounter, SharedRateLimit } from "@fieldmesh/http";
