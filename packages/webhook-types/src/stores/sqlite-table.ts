import { type AnyRecord, systemClock } from "@fieldmesh/core/internal";
import { openSqlite, type SqliteDatabase, type SqlValues } from "@fieldmesh/core/internal/database";
import { readTable } from "./postgres-table.ts";
import { SEVEN_DAYS, type SqliteOptions } from "./store-options.ts";

interface TableForm {
  readonly name: string;
  readonly columns: readonly string[];
  /** The column with the time by which old rows are found. */
  readonly time: string;
  /** A further condition for rows to delete. */
  readonly also?: string;
}

/** Creates the table of a store, and returns what every store needs. Throws a TypeError for anything but a database. */
export function openTable(
  owner: string,
  database: SqliteDatabase,
  { table: given, retention = SEVEN_DAYS, clock = systemClock }: SqliteOptions,
  { name, columns, time, also = "true" }: TableForm,
) {
  const table = given ?? readTable(name);
  const { query, transaction } = openSqlite(owner, database);
  const columnsOf = ["id TEXT PRIMARY KEY", ...columns].join(",\n  ");
  const index = `"${table.replaceAll('"', "")}_${time}"`;
  database.exec(`CREATE TABLE IF NOT EXISTS ${table} (
  ${columnsOf}
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${time})`);
  const prepare =
    (sql: string) =>
    (...values: SqlValues): Promise<AnyRecord[]> =>
      query(sql, values);
  const old = `SELECT id FROM ${table} WHERE ${also} AND ${time} < ? LIMIT ${BATCH}`;
  const deleteSome = prepare(`DELETE FROM ${table} WHERE id IN (${old}) RETURNING 1`);

  /** Between batches, other work of the process runs: no delivery waits for all of them. */
  const cleanUp = async (): Promise<number> => {
    const before = clock.now() - retention;
    let all = 0;
    for (;;) {
      const count = (await deleteSome(before)).length;
      all += count;
      if (count < BATCH) return all;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
  return { table, clock, prepare, transaction, cleanUp };
}

/** A statement blocks the process while it runs, so it must be short. */
const BATCH = 1_000;
