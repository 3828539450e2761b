// Why it is so: docs/decisions/40-a-port-for-databases.md
import { isError } from "../realm.ts";
import { within } from "../within.ts";
import { endsConnection } from "./faults.ts";

/** What a driver must do. `Command` is what its connections send: SQL, or the words of a command. */
export interface Driver<Command extends readonly unknown[], Reply> {
  /** The client of the caller. Stores of the same one share its transactions. */
  readonly client: object;
  connect(): Promise<Connection<Command, Reply>>;
  /** How many connections work may hold for long. @default any number */
  readonly most?: number | undefined;
  /** How many queries of any code wait for a connection now. */
  waiting?(): number;
}

/** A connection that is taken from a client. */
export interface Connection<Command extends readonly unknown[], Reply> {
  /** The connection as the driver has it. */
  readonly client: object;
  send(...command: Command): Promise<Reply>;
  /** Calls the function if the connection is lost, until the function that it returns is called. */
  onLost(listener: (error: Error) => void): () => void;
  /** Gives it back. With an error, it is closed instead, and its client opens another one. */
  release(error?: Error): void;
}

/** A connection during a piece of work. */
export interface Lent<Command extends readonly unknown[], Reply> {
  readonly client: object;
  /** Sends with a limit of 9 s. Rejects once the connection is lost, or the work has ended. */
  readonly send: (...command: Command) => Promise<Reply>;
  /** Aborts when the connection is lost, or did not respond within the limit. */
  readonly lost: AbortSignal;
  /** Closes the connection after the work: its state is not known. */
  readonly discard: (reason: unknown) => void;
}

/** A second less than a receiver waits, so that it reports what the port has waited for. */
export const LONGEST_WAIT = 9_000;
const HANGS = "The database did not respond within 9 s. Check that it is reachable.";
const ENDED = "The work that has taken this connection has ended.";
const UNUSABLE = "The connection to the database cannot be used any more.";
const NO_CONNECTION =
  "No connection to the database was free, or could be opened, within 9 s. Check that its server is up, that its pool has more connections than work in progress, and that no handler queries the pool of its inbox.";

/**
 * Takes a connection for a piece of work, and releases it. One that is lost, that did not respond in time, or that reported an error
 * after which it is useless, is closed: it would be missing in the pool forever.
 */
export async function borrow<Command extends readonly unknown[], Reply, T>(
  driver: Driver<Command, Reply>,
  work: (lent: Lent<Command, Reply>) => Promise<T>,
): Promise<T> {
  const connection = await within(
    LONGEST_WAIT,
    () => driver.connect(),
    NO_CONNECTION,
    (late) => late.release(),
  );
  const lost = new AbortController();
  const discard = (reason: unknown): void =>
    lost.abort(isError(reason) ? reason : new Error(UNUSABLE, { cause: reason }));
  const stopListening = connection.onLost(discard);
  let hasEnded = false;
  const send = async (...command: Command): Promise<Reply> => {
    lost.signal.throwIfAborted();
    // Work that came too late for its caller may still run. The connection has other work by then.
    if (hasEnded) throw new Error(ENDED);
    try {
      return await within(LONGEST_WAIT, () => connection.send(...command), HANGS);
    } catch (error) {
      if ((error as Error | undefined)?.message === HANGS || endsConnection(error)) discard(error);
      throw error;
    }
  };
  try {
    return await work({ client: connection.client, send, lost: lost.signal, discard });
  } finally {
    hasEnded = true;
    stopListening();
    connection.release(lost.signal.reason as Error | undefined);
  }
}
