export type { RedisClient } from "./redis-client.ts";
export { redisStore, type RedisStoreOptions } from "./redis-store.ts";
export { redisOrder, type RedisOrderOptions } from "./redis-order.ts";
export { sqliteStore, type SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
export { sqliteInbox, type SqliteInbox } from "./sqlite-inbox.ts";
export { sqliteOrder, type SqliteOrder, type SqliteOrderOptions } from "./sqlite-order.ts";
export type { SqliteDatabase } from "./sqlite-client.ts";
export { postgresStore, type PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
export { postgresInbox, type PostgresInbox } from "./postgres-inbox.ts";
export { postgresOrder, type PostgresOrder, type PostgresOrderOptions } from "./postgres-order.ts";
export {
  postgresPoison,
  type PostgresPoison,
  type PostgresPoisonOptions,
} from "./postgres-poison.ts";
export { sqlitePoison, type SqlitePoison, type SqlitePoisonOptions } from "./sqlite-poison.ts";
export { postgresOrderTable, postgresPoisonTable, postgresTables } from "./postgres-tables.ts";
export type {
  PgClient,
  PgPool,
  PgQueryable,
  PostgresJs,
  PostgresJsTransaction,
  TransactionOf,
} from "./postgres-client.ts";
