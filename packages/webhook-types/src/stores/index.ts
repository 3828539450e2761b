export { redisStore } from "./redis-store.ts";
export { redisOrder } from "./redis-order.ts";
export { sqliteStore } from "./sqlite-store.ts";
export { sqliteInbox, type SqliteInbox } from "./sqlite-inbox.ts";
export { sqliteOrder } from "./sqlite-order.ts";
export { postgresStore } from "./postgres-store.ts";
export { postgresInbox, type PostgresInbox, type TransactionOf } from "./postgres-inbox.ts";
export { postgresOrder } from "./postgres-order.ts";
export { postgresPoison } from "./postgres-poison.ts";
export { sqlitePoison } from "./sqlite-poison.ts";
export type {
  CleanUp,
  RedisOptions,
  SqliteOptions,
  TableOptions,
  PayloadOptions,
} from "./store-options.ts";
export { postgresOrderTable, postgresPoisonTable, postgresTables } from "./postgres-table.ts";
export type {
  PgClient,
  PgPool,
  RedisClient,
  SqliteDatabase,
} from "@fieldmesh/core/internal/database";
