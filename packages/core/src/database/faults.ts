import { memberOf } from "../record.ts";
import { monotonicClock } from "../clock.ts";

/**
 * Whose fault an error is: that of the `database`, which is not reachable or has no resources left; a `conflict` with another
 * transaction, after which the same work may succeed; or that of the `work`, whose statements were rejected.
 */
export type Fault = "database" | "conflict" | "work";

/** Five characters, of which one is a digit: EPIPE is none, and neither is E2BIG. */
const SQLSTATE = /^(?!E)(?=.*\d)[0-9A-Z]{5}$/;
/** A lost connection, a server that only reads, transactions that it ended for their age, resources, operators, its own errors. */
const OF_DATABASE = /^(?:08|25006|25P03|25P04|53|57|58|F0|XX)/;
/** After these, the next statement of the connection would fail too: a server that shuts down, or that only reads after a failover. */
const ENDS_CONNECTION = /^(?:08|25006|25P03|25P04|57P)/;
const REDIS_READS_ONLY = "READONLY ";
export const SERIALIZATION_FAILURE = "40001";
const CONFLICT = /^40/;

/** The result codes of SQLite that are about the file, the disk and the memory. */
const SQLITE_FAULTS = {
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
};
const SQLITE_BUSY = { BUSY: SQLITE_FAULTS.BUSY };
const SQLITE_CONSTRAINT = { CONSTRAINT: 19 };

/** Finds the fault of an error, or of an error in it: a router collects those of handlers, and a handler may wrap that of its query. */
export function faultOf(error: unknown): Fault | undefined {
  const faults = new Set([...errorsIn(error)].map(ownFault));
  return FAULTS.find((fault) => faults.has(fault));
}

/** The first one that any of several errors has. */
const FAULTS = ["conflict", "database", "work"] as const satisfies readonly Fault[];
const DEEPEST = 5;

function* errorsIn(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== "object" || error === null || depth > DEEPEST) return;
  yield error;
  const errors = memberOf(error, "errors");
  for (const inner of [memberOf(error, "cause"), ...(Array.isArray(errors) ? errors : [])])
    yield* errorsIn(inner, depth + 1);
}

function ownFault(error: object): Fault | undefined {
  const code = sqlstateOf(error);
  if (code !== undefined)
    return CONFLICT.test(code) ? "conflict" : OF_DATABASE.test(code) ? "database" : "work";
  if (hasSqliteCode(error, SQLITE_FAULTS)) return "database";
  return hasSqliteCode(error, SQLITE_CONSTRAINT) ? "work" : undefined;
}

/** Returns the SQLSTATE of an error: the code that a server of SQL responded with. */
export function sqlstateOf(error: unknown): string | undefined {
  const code = memberOf(error, "code");
  return typeof code === "string" && SQLSTATE.test(code) ? code : undefined;
}

/** Whether the connection that reported an error is useless. */
export function endsConnection(error: unknown): boolean {
  const code = sqlstateOf(error);
  return code === undefined
    ? String(memberOf(error, "message")).startsWith(REDIS_READS_ONLY)
    : ENDS_CONNECTION.test(code);
}

/** Whether another connection holds the file of an SQLite database. */
export function isBusy(error: unknown): boolean {
  return hasSqliteCode(error, SQLITE_BUSY);
}

/** An extended code has its primary code in the lowest byte. */
const PRIMARY = 0xff;

/** `node:sqlite` has a number, and `better-sqlite3` a name, both of which may be extended. */
function hasSqliteCode(error: unknown, codes: Readonly<Record<string, number>>): boolean {
  const number = memberOf(error, "errcode");
  if (typeof number === "number") return Object.values(codes).includes(number & PRIMARY);
  const code = memberOf(error, "code");
  const [, name = ""] = (typeof code === "string" && /^SQLITE_([A-Z]+)/.exec(code)) || [];
  return Object.hasOwn(codes, name);
}

const MOST_AGAIN = 3;
// Long enough for the other transaction to end, and different in each process.
const LEAST_WAIT = 20;
const MOST_WAIT = 200;

/** Runs a transaction again after a conflict with another one: three times at most, and not once the signal has aborted. */
export async function againAfterConflict<T>(
  run: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let again = 0; ; again++) {
    try {
      return await run();
    } catch (error) {
      if (again === MOST_AGAIN || faultOf(error) !== "conflict") throw error;
      const wait = LEAST_WAIT + Math.random() * (MOST_WAIT - LEAST_WAIT);
      await monotonicClock.sleep(wait, signal).catch(() => undefined);
      if (signal?.aborted === true) throw error;
    }
  }
}
