import { digestOf } from "../digest.ts";
import type { Statement } from "./sql.ts";

/** An index of PostgreSQL holds up to 2,704 bytes, and a character of UTF-8 has up to four. */
const LONGEST = 600;

/** Whether PostgreSQL can store and index a string as a key: it has no text with NUL. */
export function isStorable(key: string): boolean {
  return key.length <= LONGEST && !key.includes("\0");
}

/** Replaces the key of a statement by its hash if PostgreSQL cannot store or index it: the sender of an event chooses its id. */
export async function withStoredKey(statement: Statement): Promise<Statement> {
  const [key, ...values] = statement.values ?? [];
  if (typeof key !== "string" || isStorable(key)) return statement;
  return { ...statement, values: [`sha256:${await digestOf("SHA-256", key)}`, ...values] };
}
