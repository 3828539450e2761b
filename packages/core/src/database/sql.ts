import type { AnyRecord } from "../record.ts";
import type { Driver, Lent } from "./port.ts";
import { digestOf } from "../hex.ts";

/** One statement with the placeholders of its values. */
export interface Statement {
  readonly text: string;
  /** The first one is the key of a row, if any. */
  readonly values?: SqlValues | undefined;
}
/** A statement that is sent with a COMMIT, and the SQL that creates its table. */
export interface LastStatement extends Statement {
  readonly creates: string;
}
export type SqlValues = readonly (string | number | null)[];

/** What a statement returned: its rows, and what the server says that it did, such as `COMMIT`. */
export interface SqlResult {
  readonly rows: AnyRecord[];
  readonly command?: string | undefined;
}

type Batch = [statements: readonly Statement[]];

/** A driver of a database with SQL: a connection runs statements in one round trip, and returns a result for each. */
export type SqlDriver = Driver<Batch, readonly SqlResult[]>;
export interface LentSql extends Lent<Batch, readonly SqlResult[]> {
  /** Adds a statement that is sent with the COMMIT, if the connection has a transaction. */
  readonly atEnd?: ((statement: LastStatement) => void) | undefined;
}

/** Runs a statement, and returns its rows. */
export type Query = (text: string, values?: SqlValues) => Promise<AnyRecord[]>;

/** Returns the function that runs one statement on a connection. */
export function queryOn({ send }: Pick<LentSql, "send">): Query {
  return async (text, values) => {
    const [result] = await send([{ text, values }]);
    return result?.rows ?? [];
  };
}

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
