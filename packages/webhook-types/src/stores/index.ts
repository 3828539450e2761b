export { redisStore, type RedisClient, type RedisStoreOptions } from "./redis-store.js";
export { postgresStore, type PostgresStore, type PostgresStoreOptions } from "./postgres-store.js";
export { postgresInbox, type PostgresInbox } from "./postgres-inbox.js";
export { postgresTables } from "./postgres-tables.js";
export type {
  PgClient,
  PgPool,
  PgQueryable,
  PostgresJs,
  PostgresJsTransaction,
  TransactionOf,
} from "./postgres-client.js";
