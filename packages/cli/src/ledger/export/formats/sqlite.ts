import type * as Sqlite from "node:sqlite";
import { CliError } from "../../../exit-codes.ts";
import { cellOf, type Kind } from "./columns.ts";
import type { WriteTable } from "./table.ts";

/** Integers beyond 64 bits are strings in a TEXT column. Any other type would round them. */
const TYPES: Readonly<Record<Kind, string>> = {
  small: "INTEGER",
  integer: "INTEGER",
  long: "TEXT",
  real: "REAL",
  boolean: "INTEGER",
  text: "TEXT",
};

/** Writes a database with one table, named after the list. */
export const writeSqlite: WriteTable = async ({ file, name, columns, batches }) => {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file);
  try {
    // The file gets its name when it is complete, so a journal for rollbacks is not needed, and a kill leaves no second file.
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN");
    const fields = Object.entries(columns);
    const types = fields.map(([field, kind]) => `${quote(field)} ${TYPES[kind]}`);
    database.exec(`CREATE TABLE ${quote(name)} (${types.join(", ")})`);
    const insert = database.prepare(
      `INSERT INTO ${quote(name)} VALUES (${fields.map(() => "?").join(", ")})`,
    );
    for await (const items of batches) {
      for (const item of items) {
        const cells = fields.map(([field, kind]) => cellOf(item, field, kind));
        insert.run(...cells.map((cell) => (typeof cell === "boolean" ? Number(cell) : cell)));
      }
    }
    database.exec("COMMIT");
  } finally {
    database.close();
  }
};

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Loads the module of Node without its warning, which means nothing to the user of a command. */
function loadSqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    const sqlite = process.getBuiltinModule("node:sqlite") as typeof Sqlite | undefined;
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new CliError(
    `SQLite needs Node 22.13 or later, and this is Node ${process.versions.node}: update it, or choose another format.`,
  );
}
