import { memberOf, within } from "@fieldmesh/core/internal";
import {
  queryOf,
  type senderOf,
  type PgClient,
  type PgPool,
  type PostgresJs,
  type PostgresJsTransaction,
  type Query,
} from "./postgres-client.ts";

/** Runs work in a transaction. Commits after it, or rolls back and rethrows its error. */
export type Begin = (
  work: (transaction: object, query: Query, signal: AbortSignal) => Promise<void>,
) => Promise<void>;

export function poolBegin(pool: PgPool, sendThrough: typeof senderOf = queryOf): Begin {
  return async (work) => {
    // A connection that comes too late is given back.
    const giveBack = (late: PgClient) => late.release();
    const client = await within(LONGEST_WAIT, () => pool.connect(), HANGS, giveBack);
    const send = sendThrough(client);
    const query: Query = (text, values) => within(LONGEST_WAIT, () => send(text, values), HANGS);
    const lost = new AbortController();
    const onError = (error: Error) => lost.abort(error);
    client.on("error", onError);
    let failure: unknown;
    try {
      await query("BEGIN", []);
      await work(client, query, lost.signal);
      await query("COMMIT", []);
    } catch (error) {
      failure = error;
      // A connection that does not respond, or that cannot roll back, is closed, and the server undoes its transaction.
      if (memberOf(error, "message") === HANGS) lost.abort(error);
      else await query("ROLLBACK", []).catch((reason: unknown) => lost.abort(reason));
      throw error;
    } finally {
      client.removeListener("error", onError);
      client.release(lost.signal.aborted ? (failure instanceof Error ? failure : true) : undefined);
    }
  };
}

/** As long as a receiver waits. A connection that hangs longer would be missing in the pool. */
const LONGEST_WAIT = 10_000;
const HANGS = "The database did not respond within 10 s. Check that it is reachable.";

export function beginOf(sql: PostgresJs, sendThrough: typeof senderOf = queryOf): Begin {
  return async (work) => {
    const lost = new AbortController();
    let working: Promise<void> | undefined;
    try {
      await sql.begin((transaction: PostgresJsTransaction) => {
        const send = sendThrough(transaction);
        const query: Query = async (text, values) => {
          lost.signal.throwIfAborted();
          return send(text, values);
        };
        working = work(transaction, query, lost.signal);
        return whileOpen(working, lost.signal);
      });
    } catch (error) {
      // A lost connection ends `begin` immediately, while the handlers still run.
      lost.abort(error);
      await working?.catch(() => {});
      throw error;
    }
  };
}

/**
 * Never settles once the signal has aborted. Otherwise, postgres.js would commit or roll back on a lost connection, and throw an
 * error that cannot be caught.
 */
function whileOpen(working: Promise<void>, lost: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    working.then(
      () => lost.aborted || resolve(),
      (error: unknown) => lost.aborted || reject(error),
    );
  });
}
