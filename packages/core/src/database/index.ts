// The port to databases: docs/decisions/40-a-port-for-databases.md. Stores import this file, and no driver.
export { type Fault, faultOf, isBusy, sqlstateOf } from "./faults.ts";
export { lend, NOT_YOURS, sendAtEnd, sendIn, type Loan } from "./lend.ts";
export {
  isMissingTable,
  missingTable,
  openPostgres,
  type Postgres,
  TRANSACTION_ID,
} from "./postgres.ts";
export { isStorable } from "./sql.ts";
export { openRedis, type Redis } from "./redis.ts";
export type { RedisClient } from "./redis-driver.ts";
export { openSqlite, type Sqlite } from "./sqlite.ts";
export type { PgClient, PgPool } from "./pg-driver.ts";
export type { SqliteDatabase } from "./sqlite-driver.ts";
export { type LentSql, type Query, queryOn, type SqlValues } from "./sql.ts";
