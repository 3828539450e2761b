const BUSY = 5;
const CONSTRAINT = 19;
/** An extended code has its primary code in the lowest byte. */
const PRIMARY = 0xff;

/** Whether another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return is(error, BUSY, "SQLITE_BUSY");
}

/** Whether the database rejected what was written, such as a reference to a row that does not exist. */
export function isConstraint(error: unknown): boolean {
  return is(error, CONSTRAINT, "SQLITE_CONSTRAINT");
}

/** `node:sqlite` has a number, and `better-sqlite3` a name, both of which may be extended. */
function is(error: unknown, number: number, name: string): boolean {
  const { errcode, code } = Object(error) as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") return (errcode & PRIMARY) === number;
  return typeof code === "string" && (code === name || code.startsWith(`${name}_`));
}
