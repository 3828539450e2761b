export {
  postgresRateLimit,
  redisRateLimit,
  type PostgresStoreClient,
  type RedisStoreClient,
  type SharedRateLimitOptions,
} from "@fieldmesh/http/shared-rate-limit";
