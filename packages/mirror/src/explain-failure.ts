import { memberOf } from "@fieldmesh/core/internal";
import { sqlstateOf } from "@fieldmesh/core/internal/database";

/** The version of the tables that this package reads and writes: the number of its last migration. */
const SCHEMA_VERSION = 1;

export type Database = "postgres" | "sqlite";

/** The folder of the migrations, as a user sees it. */
const folderOf = (database: Database): string =>
  `node_modules/@fieldmesh/mirror/migrations/${database}`;

/** Throws an Error that says what to do, if the tables have another version. */
export function checkSchemaVersion(version: unknown, database: Database): void {
  const found = version === null || version === undefined ? 0 : Number(version);
  if (found === SCHEMA_VERSION) return;
  throw new Error(
    found > SCHEMA_VERSION
      ? `The tables of the mirror have version ${found}, and this package knows version ${SCHEMA_VERSION}. Update @fieldmesh/mirror.`
      : `The tables of the mirror have version ${found}. Apply the migrations up to version ${SCHEMA_VERSION}, from ${folderOf(database)}.`,
  );
}

/** Says what to do if the tables are missing or others. An error of PostgreSQL is always replaced: its details quote the row. */
export function explainFailure(error: unknown, database: Database): unknown {
  const code = sqlstateOf(error);
  const message = String(memberOf(error, "message"));
  const [, explain] =
    code === undefined
      ? (BY_MESSAGE.find(([pattern]) => pattern.test(message)) ?? [])
      : (BY_SQLSTATE.find(([beginning]) => code.startsWith(beginning)) ?? []);
  if (explain === undefined && code === undefined) return error;
  const shown = code?.startsWith(BAD_VALUE) ? `SQLSTATE ${code}` : message;
  const replaced = new Error(explain ? `${explain(folderOf(database))} (${shown})` : shown);
  // An inbox runs an event again after a conflict, which it knows by the code.
  return Object.assign(replaced, code !== undefined && { code });
}

/** Runs work whose error then says what to do. */
export async function explained<T>(database: Database, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainFailure(error, database);
  }
}

/** Messages of this class quote the value. */
const BAD_VALUE = "22";

type Explain = (folder: string) => string;

const isMissing: Explain = (folder) =>
  `This database has no tables of a mirror. Apply the migrations from ${folder}, or pass the client of another database.`;
const isChanged: Explain = (folder) =>
  `The tables of the mirror differ from their migrations. Compare them with ${folder}.`;
const isReadOnly: Explain = () =>
  "The database is read-only, so nothing was stored. Connect to its primary server, as a user who may write.";
const isFull: Explain = () =>
  "The disk of the database is full, so nothing was stored. Free some space: the sender delivers the event again.";

/** SQLSTATE. Undefined tables, and read-only transactions, are special cases of their classes. */
const BY_SQLSTATE: readonly (readonly [beginning: string, explain: Explain])[] = [
  ["42P01", isMissing],
  ["42501", isReadOnly],
  ["25006", isReadOnly],
  ["53100", isFull],
  ["42", isChanged],
  ["23", isChanged],
];

/** The messages of SQLite, whose codes are the same for most mistakes in a statement. */
const BY_MESSAGE: readonly (readonly [pattern: RegExp, explain: Explain])[] = [
  [/no such table/i, isMissing],
  [/no such column|has no column|does not match any|constraint failed/i, isChanged],
  [/readonly database/i, isReadOnly],
  [/disk is full/i, isFull],
];
