import { getOrInsertComputed, recordOf } from "@fieldmesh/core/internal";
import {
  checkSqlite,
  hasTransaction,
  runTransaction,
  prepareInTransaction,
  type SqliteDatabase,
  transactionOpen,
} from "../stores/sqlite-client.ts";
import { takeTurn } from "../stores/sqlite-turns.ts";
import { createMirror } from "./create-mirror.ts";
import { checkSchemaVersion, explainFailure } from "./explain-failure.ts";
import type { Mirror, MirrorOptions } from "./mirror.ts";
import { createRows, type Rows, type RunStatement } from "./rows.ts";
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
  checkSqlite("sqliteMirror", database);
  const prepared = new Map<string, ReturnType<typeof prepareInTransaction>>();
  const now = (sql: string, values: readonly (string | null)[]) => {
    try {
      const statement = getOrInsertComputed(prepared, sql, () =>
        prepareInTransaction(database, sql),
      );
      return statement(...values);
    } catch (error) {
      throw explainFailure(error, "sqlite");
    }
  };
  checkSchemaVersion(recordOf(now(VERSION, [])[0])["version"], "sqlite");
  const run: RunStatement = async (sql, values) => now(sql, values);
  const rows = createRows(dialect)(run);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    takeTurn(database, () => {
      if (hasTransaction(database) === true) throw transactionOpen("sqliteMirror");
      return work();
    });
  return createMirror(
    "sqliteMirror",
    {
      joins: (inbox) => inbox.uses?.(database) === true,
      claim: (_transaction, _read, work) => work(rows),
      // Each query has its own turn, so that deliveries need not wait for all of them.
      read: (work) => work(createRows(dialect)((...query) => inTurn(() => run(...query)))),
      write: <T>(work: (through: Rows) => Promise<T>): Promise<T> =>
        inTurn(() => runTransaction(database, () => work(rows))),
    },
    options,
  );
}

const VERSION = "SELECT max(version) AS version FROM fieldmesh_mirror_version";

const asIs = (column: string): string => column;

const dialect: Dialect = {
  place: () => "?",
  read: { text: asIs, flag: asIs, time: asIs, json: asIs },
  contains: (column, place) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${place})`,
  lock: "",
};
