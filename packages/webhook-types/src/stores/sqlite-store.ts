import { options, recordOf, systemClock } from "@fieldmesh/core/internal";
import type { SqliteDatabase } from "@fieldmesh/core/internal/database";
import type { Claim, LeasableStore } from "./idempotency-store.ts";
import { EVENTS_TABLE } from "./postgres-table.ts";
import { type CleanUp, inSqlite, SEVEN_DAYS, type SqliteOptions } from "./store-options.ts";
import { openTable } from "./sqlite-table.ts";

const readOptions = /* @__PURE__ */ options("sqliteStore", inSqlite);

/**
 * Creates a store in an SQLite file, for one process that must know after a restart what it has handled, without a database
 * server. Pass a `DatabaseSync` of `node:sqlite`, which needs no flag from Node 22.13 on. The store creates its table.
 *
 * The table has one row for each event, with its times and nothing of its payload. Other processes of the same machine may open
 * the file, for example while one replaces another. A call that finds the file locked rejects, and the sender retries. Do not put
 * the file on a network drive. Pass a connection that nothing else uses: while a transaction is open on it, the store rejects,
 * because a rollback would undo the mark of an event.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 *
 * const store = sqliteStore(new DatabaseSync("events.db"));
 * ```
 */
export function sqliteStore(
  database: SqliteDatabase,
  given: SqliteOptions = {},
): LeasableStore & CleanUp {
  const own = readOptions(given);
  const { table, clock, prepare, cleanUp } = openTable("sqliteStore", database, own, EVENTS);
  const leaseNow = leaseClock(own);
  const claim = prepare(claimSql(table));
  const look = prepare(`SELECT done_at, seen_at, lease_until FROM ${table} WHERE id = ?`);
  const extend = prepare(`UPDATE ${table} SET leased_at = ?, lease_until = ? ${MINE}`);
  const complete = prepare(
    `UPDATE ${table} SET done_at = ?, seen_at = ?, token = NULL, lease_until = NULL ${MINE}`,
  );
  const release = prepare(`UPDATE ${table} SET token = NULL, lease_until = NULL ${MINE}`);
  const forget = prepare(`DELETE FROM ${table} ${MINE}`);

  return {
    remembers: own.retention ?? SEVEN_DAYS,
    claim: async (id, token, lease): Promise<Claim> => {
      const now = leaseNow();
      const [mine] = await claim(id, token, now, now + lease, clock.now());
      if (mine !== undefined) return { status: "claimed", attempt: Number(mine["attempt"]) };
      const [other] = await look(id);
      // Another process may have deleted the row.
      const { done_at: doneAt = null, seen_at: seenAt, lease_until: leaseUntil } = recordOf(other);
      if (doneAt !== null) return { status: "done" };
      const heldFor = Math.max(0, clock.now() - Number(seenAt ?? clock.now()));
      return {
        status: "in_progress",
        endsIn: Math.max(1, Number(leaseUntil ?? now) - now),
        heldFor,
      };
    },
    extend: async (id, token, lease) => {
      const now = leaseNow();
      return (await extend(now, now + lease, id, token)).length > 0;
    },
    complete: async (id, token) => {
      const now = clock.now();
      return (await complete(now, now, id, token)).length > 0;
    },
    release: async (id, token) => {
      await release(id, token);
    },
    forget: async (id, token) => {
      await forget(id, token);
    },
    cleanUp,
  };
}

/** Returns the function that measures leases: by the clock of the caller, or since the machine started. */
export function leaseClock({ clock }: SqliteOptions): () => number {
  return clock === undefined ? sinceStart : () => clock.now();
}

/**
 * Milliseconds since the machine started: the same for all its processes, and not changed when its clock is set. After a restart of
 * the machine, a lease seems to begin in the future, and counts as ended.
 */
function sinceStart(): number {
  const { process } = globalThis as { process?: { hrtime?: { bigint(): bigint } } };
  const nanoseconds = process?.hrtime?.bigint();
  return nanoseconds === undefined ? systemClock.now() : Number(nanoseconds / 1_000_000n);
}

export const EVENTS = {
  name: EVENTS_TABLE,
  columns: [
    "seen_at REAL NOT NULL",
    "done_at REAL",
    "token TEXT",
    "leased_at REAL",
    "lease_until REAL",
    "attempt INTEGER NOT NULL DEFAULT 1",
  ],
  time: "seen_at",
};

// One statement, so that it is atomic between processes too.
const claimSql = (table: string) => `
INSERT INTO ${table} AS e (id, token, leased_at, lease_until, seen_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET token = excluded.token, leased_at = excluded.leased_at,
  lease_until = excluded.lease_until, seen_at = excluded.seen_at, attempt = e.attempt + (e.token IS NOT excluded.token)
WHERE e.done_at IS NULL
  AND (e.lease_until IS NULL OR e.lease_until <= excluded.leased_at
    OR e.leased_at > excluded.leased_at OR e.token IS excluded.token)
RETURNING attempt`;

const MINE = "WHERE id = ? AND token = ? AND done_at IS NULL RETURNING 1";
