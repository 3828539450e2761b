import { within } from "@fieldmesh/core/internal";

/** What each connection does last. Weak, so that a connection is released with its program. */
const lastTurns = new WeakMap<object, Promise<void>>();

/** Shorter than a sender waits for a response. */
const LONGEST_TURN = 5_000;
const TOO_LATE =
  "Another transaction kept the SQLite connection for 5 s. Check that no handler waits for long, or for this call.";

/**
 * Runs work once all earlier work on the same connection has ended: an SQLite connection has one transaction at a time, and every
 * statement on it is a part of that. Rejects, and does not run the work, after 5 s.
 */
export async function takeTurn<T>(connection: object, work: () => T | Promise<T>): Promise<T> {
  const before = lastTurns.get(connection) ?? Promise.resolve();
  const ended = Promise.withResolvers<void>();
  lastTurns.set(
    connection,
    before.then(() => ended.promise),
  );
  try {
    await within(LONGEST_TURN, () => before, TOO_LATE);
    return await work();
  } finally {
    ended.resolve();
  }
}
