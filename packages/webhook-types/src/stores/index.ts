export type { RedisClient } from "./redis-client.js";
export { redisStore, type RedisStoreOptions } from "./redis-store.js";
export { redisOrder, type RedisOrderOptions } from "./redis-order.js";
export { postgresStore, type PostgresStore, type PostgresStoreOptions } from "./postgres-store.js";
export { postgresInbox, type PostgresInbox } from "./postgres-inbox.js";
export { postgresOrder, type PostgresOrder, type PostgresOrderOptions } from "./postgres-order.js";
export { postgresOrderTable, postgresTables } from "./postgres-tables.js";
export type {
  PgClient,
  PgPool,
  PgQueryable,
  PostgresJs,
  PostgresJsTransaction,
  TransactionOf,
} from "./postgres-client.js";
