import { options } from "@fieldmesh/core/internal";
import { lend, type PgPool, queryOn, TRANSACTION_ID } from "@fieldmesh/core/internal/database";
import type { EventContext } from "../router/event-handlers.ts";
import type { Inbox, InboxOutcome } from "./idempotency-store.ts";
import { createLoans } from "./loans.ts";
import { openPostgresTable, EVENTS_TABLE, readTable } from "./postgres-table.ts";
import { type CleanUp, inTable, SEVEN_DAYS, type TableOptions } from "./store-options.ts";

const readOptions = /* @__PURE__ */ options("postgresInbox", inTable);

/** The type of the clients of your pool, through which handlers write. Overloads are matched pair by pair. */
export type TransactionOf<Pool> = Pool extends {
  connect: { (): Promise<infer Lent>; (callback: never): void };
}
  ? Lent
  : Pool extends { connect(): Promise<infer Lent> }
    ? Lent
    : never;

/** An inbox in PostgreSQL: handlers write through the transaction of their event. */
export interface PostgresInbox<Transaction> extends Inbox, CleanUp {
  /** How many milliseconds an event is remembered: the option `retention`. */
  readonly remembers: number;
  /**
   * Returns the transaction of an event, by the context that its handler received. The inbox begins and ends it: a handler
   * that runs such a statement receives a TypeError. For a part that may fail alone, use a savepoint. Await every query:
   * once the handlers have ended, this method and every use of the transaction throw.
   *
   * Throws a TypeError for any other context.
   */
  transaction(context: EventContext): Transaction;
}

/**
 * Creates an inbox in PostgreSQL. The handlers of an event run in the same transaction as the mark that it is done, so that what
 * they write into this database is written exactly once. Pass a `Pool` of `pg`. Create the table with
 * `postgresTables`.
 *
 * Everything else that a handler does, such as a call to another service, may still happen again: pass the `idempotencyKey` of
 * the context. After a deadlock or a serialization failure, the handlers run again in a new transaction, at most three times. If one
 * handler fails, the writes of the others are undone. Each event in progress uses one connection, and one
 * of the pool stays free for other queries. The table has one row for each event, with its times and nothing of its payload.
 *
 * @example
 * ```ts
 * const inbox = postgresInbox(pool);
 * const upsert = "INSERT INTO sims (id, state) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET state = excluded.state";
 * const receive = createReceiver({
 *   secret,
 *   store: inbox,
 *   order: postgresOrder(pool),
 *   handlers: {
 *     "sim.*": ({ data: { object } }, context) =>
 *       inbox.transaction(context).query(upsert, [object.id, object.state]),
 *   },
 * });
 * ```
 */
export function postgresInbox<Pool extends PgPool>(
  pool: Pool,
  given: TableOptions = {},
): PostgresInbox<TransactionOf<Pool>> {
  const { table = readTable(EVENTS_TABLE), retention = SEVEN_DAYS } = readOptions(given);
  const form = { table, retention, creates: "postgresTables()" };
  const { transaction, cleanUp } = openPostgresTable("postgresInbox", pool, form);
  const loans = createLoans();
  const text = markSql(table);

  return {
    run: (id, work, { signal } = {}) =>
      transaction<InboxOutcome>(
        { text, values: [id] },
        async (lent, isMarked) => {
          if (!isMarked) {
            const done = await queryOn(lent)(doneSql(table), [id]);
            return done.length > 0 ? "done" : "in_progress";
          }
          const loan = lend(lent);
          try {
            await work({
              signal: lent.lost,
              transaction: loan.connection(),
              enter: (context) => loans.enter(context, loan),
            });
          } catch (error) {
            throw loan.blame(error);
          } finally {
            loan.end();
          }
          return "committed";
        },
        signal,
      ),
    uses: (other) => other === pool,
    remembers: retention,
    // What was lent is a client of the pool, behind a proxy.
    transaction: (context) => loans.transaction(context) as TransactionOf<Pool>,
    cleanUp,
  };
}

/**
 * Marks the event as done within the transaction, which commits after the handlers. The lock ends with the transaction: without it,
 * the insert would wait until another transaction of this event ends. An expired lease that postgresStore left in the same table is
 * ignored.
 */
const markSql = (table: string) => `
INSERT INTO ${table} AS e (id, done_at) SELECT $1::text, now()
WHERE pg_try_advisory_xact_lock(hashtextextended('${table} ' || $1::text, 0))
ON CONFLICT (id) DO UPDATE SET done_at = now(), seen_at = now(), token = NULL, lease_until = NULL
WHERE e.done_at IS NULL AND (e.lease_until IS NULL OR e.lease_until <= clock_timestamp())
RETURNING ${TRANSACTION_ID}`;

const doneSql = (table: string) =>
  `SELECT 1 FROM ${table} WHERE id = $1::text AND done_at IS NOT NULL`;
