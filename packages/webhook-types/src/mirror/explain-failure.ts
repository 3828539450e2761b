import { memberOf } from "@fieldmesh/core/internal";

/** The version of the tables that this package reads and writes: the number of its last migration. */
const SCHEMA_VERSION = 1;

export type Database = "postgres" | "sqlite";

/** The folder of the migrations, as a user sees it. */
const folderOf = (database: Database): string =>
  `node_modules/@fieldmesh/webhook-types/migrations/${database}`;

/** Throws an Error that says what to do, if the tables have another version. */
export function checkSchemaVersion(version: unknown, database: Database): void {
  const found = version === null || version === undefined ? 0 : Number(version);
  if (found === SCHEMA_VERSION) return;
  throw new Error(
    found > SCHEMA_VERSION
      ? `The tables of the mirror have version ${found}, and this package knows version ${SCHEMA_VERSION}. Update @fieldmesh/webhook-types.`
      : `The tables of the mirror have version ${found}. Apply the migrations up to version ${SCHEMA_VERSION}, from ${folderOf(database)}.`,
  );
}

/**
 * Returns an Error that says what to do, if the database lacks the tables, or has others. An error of PostgreSQL is replaced in any
 * case, because its details quote the row.
 */
export function explainFailure(error: unknown, database: Database): unknown {
  const code = memberOf(error, "code");
  const message = String(memberOf(error, "message"));
  const isFromPostgres = typeof code === "string" && SQLSTATE.test(code);
  const why = isFromPostgres ? bySqlState(code) : byMessage(message);
  if (why === undefined && !isFromPostgres) return error;
  const advice = why === undefined ? "" : adviceOf(why, database);
  const shown = isFromPostgres && code.startsWith(BAD_VALUE) ? `SQLSTATE ${code}` : message;
  const explained = new Error(advice === "" ? shown : `${advice} (${shown})`);
  // An inbox runs an event again after a conflict, which it knows by the code.
  return Object.assign(explained, isFromPostgres && { code });
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Messages of this class quote the value. */
const BAD_VALUE = "22";

function adviceOf(reason: Reason, database: Database): string {
  const folder = folderOf(database);
  return {
    missing: `This database has no tables of a mirror. Apply the migrations from ${folder}, or pass the client of another database.`,
    changed: `The tables of the mirror differ from their migrations. Compare them with ${folder}.`,
    readOnly:
      "The database is read-only, so nothing was stored. Connect to its primary server, as a user who may write.",
    full: "The disk of the database is full, so nothing was stored. Free some space: the sender delivers the event again.",
  }[reason];
}

type Reason = "missing" | "changed" | "readOnly" | "full";

/** SQLSTATE. Undefined tables, and read-only transactions, are special cases of their classes. */
const BY_SQLSTATE: readonly (readonly [beginning: string, reason: Reason])[] = [
  ["42P01", "missing"],
  ["42501", "readOnly"],
  ["25006", "readOnly"],
  ["53100", "full"],
  ["42", "changed"],
  ["23", "changed"],
];

/** The messages of SQLite, whose codes are the same for most mistakes in a statement. */
const BY_MESSAGE: readonly (readonly [pattern: RegExp, reason: Reason])[] = [
  [/no such table/i, "missing"],
  [/no such column|has no column|does not match any|constraint failed/i, "changed"],
  [/readonly database/i, "readOnly"],
  [/disk is full/i, "full"],
];

function bySqlState(code: string): Reason | undefined {
  return BY_SQLSTATE.find(([beginning]) => code.startsWith(beginning))?.[1];
}

function byMessage(message: string): Reason | undefined {
  return BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
}
