import { type AnyRecord, memberOf, options } from "@fieldmesh/core/internal";
import {
  isBusy,
  lend,
  type LentSql,
  NOT_YOURS,
  type Query,
  queryOn,
  type SqliteDatabase,
} from "@fieldmesh/core/internal/database";
import type { EventContext } from "../router/event-handlers.ts";
import type { Inbox, InboxOutcome, InboxTransaction } from "./idempotency-store.ts";
import { createLoans } from "./loans.ts";
import { type CleanUp, inSqlite, type SqliteOptions, SEVEN_DAYS } from "./store-options.ts";
import { EVENTS, leaseClock } from "./sqlite-store.ts";
import { openTable } from "./sqlite-table.ts";

const readOptions = /* @__PURE__ */ options("sqliteInbox", inSqlite);

/** An inbox in SQLite: handlers write through the transaction of their event. */
export interface SqliteInbox<Database> extends Inbox, CleanUp {
  /** How many milliseconds an event is remembered: the option `retention`. */
  readonly remembers: number;
  /**
   * Returns the connection in the transaction of an event, by the context that its handler received. The inbox begins and ends it:
   * a handler that runs such a statement receives a TypeError. For a part that may fail alone, use a savepoint. Once the handlers
   * have ended, this method, the connection and its statements throw.
   *
   * Throws a TypeError for any other context.
   */
  transaction(context: EventContext): Database;
}

/**
 * Creates an inbox in an SQLite file. The handlers of an event run in the same transaction as the mark that it is done, so that what
 * they write into this file is written exactly once. Pass a `DatabaseSync` of `node:sqlite`, which needs no flag from Node 22.13 on,
 * or a database of `better-sqlite3`. The inbox creates its table, which may be that of `sqliteStore`.
 *
 * Pass a connection that only the inbox, its `sqliteOrder` and `sqlitePoison` use. It has one transaction at a time: an event waits
 * for those before it, 5 s at most, and is then `in_progress`. It is so too where another process holds the file. So keep handlers
 * short. With `PRAGMA journal_mode = WAL`, readers of other connections disturb no event. Without it, one that reads at the time of
 * a `COMMIT` makes the handlers run again in a new transaction, at most three times.
 *
 * Everything else that a handler does, such as a call to another service, may still happen again: pass the `idempotencyKey` of
 * the context. If one handler fails, the writes of the others are undone.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 *
 * const database = new DatabaseSync("sims.db");
 * const inbox = sqliteInbox(database);
 * const upsert = "INSERT INTO sims (id, state) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state";
 * const receive = createReceiver({
 *   secret,
 *   store: inbox,
 *   order: sqliteOrder(database),
 *   handlers: {
 *     "sim.*": ({ data: { object } }, context) =>
 *       inbox.transaction(context).prepare(upsert).run(object.id!, object.state ?? null),
 *   },
 * });
 * ```
 */
export function sqliteInbox<Database extends SqliteDatabase>(
  database: Database,
  given: SqliteOptions = {},
): SqliteInbox<Database> {
  const own = readOptions(given);
  const { table, clock, transaction, cleanUp } = openTable("sqliteInbox", database, own, EVENTS);
  const leaseNow = leaseClock(own);
  const look = lookSql(table);
  const mark = markSql(table);
  const loans = createLoans();

  const runOnce = async (
    lent: LentSql,
    id: string,
    work: (transaction: InboxTransaction) => Promise<void>,
  ): Promise<InboxOutcome> => {
    const query = queryOn(lent);
    const now = leaseNow();
    const [known] = await query(look, [now, now, id]);
    const outcome = outcomeOf(known);
    if (outcome !== "committed") return outcome;
    // A handler that ends the transaction ends the savepoint too, which its release then reveals.
    await query(`SAVEPOINT ${SAVEPOINT}`);
    const loan = lend(lent);
    try {
      const enter = (context: EventContext): void => loans.enter(context, loan);
      await work({ signal: lent.lost, transaction: loan.connection(), enter });
    } finally {
      loan.end();
    }
    await release(query);
    // After the handlers, so that one that ends the transaction does not commit the mark without the rest.
    const marked = query(mark, [id, clock.now(), clock.now()]);
    await marked.catch((error: unknown) => {
      // Without the error as its cause, because the handlers have not written this row.
      throw new Error(
        `The event could not be marked as done: ${String(memberOf(error, "message"))}`,
      );
    });
    return outcome;
  };

  return {
    async run(id, work, { signal } = {}) {
      let hasBegun = false;
      const begin = (lent: LentSql) => {
        hasBegun = true;
        return runOnce(lent, id, work);
      };
      try {
        return await transaction(begin, signal);
      } catch (error) {
        // Those before it have taken too long, or another process holds the file.
        if (!hasBegun && isBusy(error)) return "in_progress";
        throw error;
      }
    },
    uses: (other) => other === database,
    remembers: own.retention ?? SEVEN_DAYS,
    // What was lent is the database, behind a proxy.
    transaction: (context) => loans.transaction(context) as Database,
    cleanUp,
  };
}

const SAVEPOINT = "fieldmesh_event";

/** An expired lease that sqliteStore left in the same table is ignored. */
function outcomeOf(known: AnyRecord | undefined): InboxOutcome {
  if (known === undefined) return "committed";
  if (known["done_at"] !== null) return "done";
  return Number(known["leased"]) === 1 ? "in_progress" : "committed";
}

async function release(query: Query): Promise<void> {
  try {
    await query(`RELEASE ${SAVEPOINT}`);
  } catch (error) {
    throw new Error(NOT_YOURS, { cause: error });
  }
}

const lookSql = (table: string) =>
  `SELECT done_at, lease_until > ? AND leased_at <= ? AS leased FROM ${table} WHERE id = ?`;

const markSql = (table: string) => `
INSERT INTO ${table} (id, done_at, seen_at) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET done_at = excluded.done_at, seen_at = excluded.seen_at,
  token = NULL, lease_until = NULL
RETURNING 1`;
