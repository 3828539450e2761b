import { memberOf } from "@fieldmesh/core/internal";
import {
  openSqlite,
  type Query,
  queryOn,
  sendIn,
  type SqliteDatabase,
} from "@fieldmesh/core/internal/database";
import { createMirror } from "./create-mirror.ts";
import { checkSchemaVersion, explained, explainFailure } from "./explain-failure.ts";
import type { Mirror, MirrorOptions } from "./mirror.ts";
import { asOf } from "./version.ts";
import { createRows, type Rows } from "./rows.ts";
import type { Dialect } from "./statements.ts";

/**
 * Creates a mirror in an SQLite file: one row for each object of the service, with its newest state. Pass the connection of
 * `sqliteInbox`. Apply the migrations of `migrations/sqlite` in this package first.
 *
 * It does the same as `postgresMirror`. Throws an Error if the tables are missing or have another version.
 *
 * @example
 * ```ts
 * const mirror = sqliteMirror(database);
 * const receive = createReceiver({ secret, store: sqliteInbox(database), order: mirror, handlers: {} });
 * ```
 */
export function sqliteMirror(database: SqliteDatabase, options: MirrorOptions = {}): Mirror {
  const { query, transaction } = openSqlite("sqliteMirror", database);
  checkVersion(database);
  const rowsOf = (run: Query): Rows =>
    createRows(dialect)((sql, values) => explained("sqlite", () => run(sql, values)));
  return createMirror(
    "sqliteMirror",
    {
      joins: (inbox) => inbox.uses?.(database) === true,
      claim: async (lent, read, work) => {
        const rows = rowsOf(queryOn({ send: sendIn(lent) }));
        return work(rows, asOf(await rows.firstClaim(read.key.tenant, read.version.id), read));
      },
      // Each query has its own turn, so that deliveries need not wait for all of them.
      alone: (work) => work(rowsOf(query)),
      write: (work) => transaction((lent) => work(rowsOf(queryOn(lent)))),
    },
    options,
  );
}

/** Right now, because a mistake in the set-up should not wait for the first event. */
function checkVersion(database: SqliteDatabase): void {
  let found: unknown;
  try {
    [found] = database.prepare(VERSION).all();
  } catch (error) {
    throw explainFailure(error, "sqlite");
  }
  checkSchemaVersion(memberOf(found, "version"), "sqlite");
}

const VERSION = "SELECT max(version) AS version FROM fieldmesh_mirror_version";

const asIs = (column: string): string => column;

const dialect: Dialect = {
  place: () => "?",
  read: { text: asIs, flag: asIs, time: asIs, json: asIs },
  contains: (column, place) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${place})`,
  lock: "",
};
