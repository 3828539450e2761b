import { options, recordOf } from "@fieldmesh/core/internal";
import type { Inbox, InboxOutcome, InboxTransaction } from "./idempotency-store.ts";
import type { EventContext } from "../router/event-context.ts";
import {
  checkClient,
  queryOf,
  type PgPool,
  type PostgresJs,
  type TransactionOf,
  type Query,
} from "./postgres-client.ts";
import { againAfterConflict } from "./conflict.ts";
import { createLoans, lend, NOT_YOURS } from "./loan.ts";
import { cleanUp } from "./postgres-store.ts";
import { EVENTS_TABLE, readTable } from "./postgres-tables.ts";
import { beginOf, poolBegin } from "./postgres-transaction.ts";
import { type CleanUp, inTable, SEVEN_DAYS, type TableOptions } from "./retention.ts";

const readOptions = /* @__PURE__ */ options("postgresInbox", inTable);

/** An inbox in PostgreSQL: handlers write through the transaction of their event. */
export interface PostgresInbox<Transaction> extends Inbox, CleanUp {
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
 * they write into this database is written exactly once. Pass a `Pool` of `pg`, or the result of `postgres()`. Create the table
 * with `postgresTables`.
 *
 * Everything else that a handler does, such as a call to another service, may still happen again: pass the `idempotencyKey` of
 * the context. After a deadlock or a serialization failure, the handlers run again in a new transaction, at most three times. If one
 * handler fails, the writes of the others are undone. Each event in progress uses one connection. The table
 * has one row for each event, with its times and nothing of its payload.
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
export function postgresInbox<Client extends PgPool | PostgresJs>(
  client: Client,
  options?: TableOptions,
): PostgresInbox<TransactionOf<Client>>;
export function postgresInbox(
  client: PgPool | PostgresJs,
  given: TableOptions = {},
): PostgresInbox<unknown> {
  checkClient("postgresInbox", client, ["connect", "begin"]);
  const { table = readTable(EVENTS_TABLE), retention = SEVEN_DAYS } = readOptions(given);
  const loans = createLoans();
  const begin = "begin" in client ? beginOf(client) : poolBegin(client);

  const runOnce = async (id: string, work: (transaction: InboxTransaction) => Promise<void>) => {
    let outcome: InboxOutcome = "committed";
    await begin(async (transaction, query, signal) => {
      outcome = await mark(query, table, id);
      if (outcome !== "committed") return;
      const marked = await transactionId(query);
      const loan = lend(transaction);
      try {
        await work({ signal, transaction, enter: (context) => loans.enter(context, loan) });
      } finally {
        loan.end();
      }
      // A handler may have caught the error of a query. PostgreSQL then silently rolls back on COMMIT. A query before the COMMIT
      // fails, and so reveals it.
      if ((await transactionId(query)) !== marked) throw new Error(NOT_YOURS);
    });
    return outcome;
  };

  return {
    run: (id, work, { signal } = {}) => againAfterConflict(() => runOnce(id, work), signal),
    uses: (other) => other === client,
    transaction: loans.transaction,
    cleanUp: () => cleanUp(queryOf(client), table, retention),
  };
}

/** Changes when a handler has ended the transaction of its event. The mark is then gone, or stays without the rest. */
async function transactionId(query: Query): Promise<string> {
  const [row] = await query("SELECT txid_current()::text AS id", []);
  return String(recordOf(row)["id"]);
}

// Result columns have one word, because postgres.js may be configured to rename `is_done`.

/** Marks the event as done within the transaction, which commits after the handlers. */
async function mark(query: Query, table: string, id: string): Promise<InboxOutcome> {
  // The lock ends with the transaction. Without it, the insert would wait until another transaction of this event ends.
  const lock = "SELECT pg_try_advisory_xact_lock(hashtextextended($1::text, 0)) AS free";
  const [locked] = await query(lock, [`${table} ${id}`]);
  if (recordOf(locked)["free"] !== true) return "in_progress";
  // An expired lease that postgresStore left in the same table is ignored.
  const rows = await query(
    `INSERT INTO ${table} AS e (id, done_at) VALUES ($1::text, now())
ON CONFLICT (id) DO UPDATE SET done_at = now(), seen_at = now(), token = NULL, lease_until = NULL
WHERE e.done_at IS NULL AND (e.lease_until IS NULL OR e.lease_until <= clock_timestamp())
RETURNING 1`,
    [id],
  );
  if (rows.length > 0) return "committed";
  const [other] = await query(
    `SELECT done_at IS NOT NULL AS done FROM ${table} WHERE id = $1::text`,
    [id],
  );
  return recordOf(other)["done"] === true ? "done" : "in_progress";
}
