import { memberOf, recordOf } from "@fieldmesh/core/internal";
import {
  isMissingTable,
  missingTable,
  openPostgres,
  type Postgres,
} from "@fieldmesh/core/internal/database";

// One statement for millions of rows would hold its locks for minutes.
const BATCH = 10_000;

/** The table of a store in PostgreSQL. */
export interface PostgresTable extends Postgres {
  /** Awaits work whose error then says how to create the table, if it is missing. */
  readonly explained: <T>(work: Promise<T>) => Promise<T>;
  /** Deletes old rows in batches, and returns how many. */
  readonly cleanUp: () => Promise<number>;
}

interface TableForm {
  readonly table: string;
  readonly retention: number;
  /** Returns the SQL that creates the table. */
  readonly creates: string;
  /** A further condition for rows to delete. */
  readonly also?: string;
}

/** Opens the table of a store. Its errors say how to create the table if it is missing. */
export function openPostgresTable(
  owner: string,
  client: unknown,
  { table, retention, creates, also = "true" }: TableForm,
): PostgresTable {
  const { query, queryAlone, transaction } = openPostgres(owner, client);
  const name = table.replaceAll('"', "");
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      // A handler may have its own tables.
      const isOurs = isMissingTable(error) && String(memberOf(error, "message")).includes(name);
      throw isOurs ? new Error(missingTable(error, creates), { cause: error }) : error;
    }
  };
  // The rows are locked, so that no other process claims an event that is deleted.
  const isOld = `seen_at < now() - $1::float8 * interval '1 millisecond' AND ${also}`;
  const deleteSome = `
WITH old AS (SELECT id FROM ${table} WHERE ${isOld} LIMIT $2::integer FOR UPDATE SKIP LOCKED),
gone AS (DELETE FROM ${table} AS e USING old WHERE e.id = old.id RETURNING 1)
SELECT count(*)::integer AS count FROM gone`;

  return {
    explained,
    query: (...statement) => explained(query(...statement)),
    queryAlone: (...statement) => explained(queryAlone(...statement)),
    transaction: (...work) => explained(transaction(...work)),
    async cleanUp() {
      let all = 0;
      for (;;) {
        const [row] = await explained(queryAlone(deleteSome, [retention, BATCH]));
        const count = Number(recordOf(row)["count"] ?? 0);
        all += count;
        if (count < BATCH) return all;
      }
    },
  };
}

/** Long enough for usual handlers, and shorter than a sender waits for a response. */
const LONGEST_LOCK = "5s";
const LOCK_NOT_AVAILABLE = "55P03";

/** Limits how long the next statements of a transaction wait for locks. */
export const LIMIT_LOCKS = `SELECT set_config('fieldmesh.lock_timeout', current_setting('lock_timeout'), true), set_config('lock_timeout', '${LONGEST_LOCK}', true)`;
/** Restores the limit of the handlers. */
export const RESTORE_LOCKS =
  "SELECT set_config('lock_timeout', current_setting('fieldmesh.lock_timeout'), true)";

/** Whether another transaction has held a lock for longer than the limit. */
export function isLocked(error: unknown): boolean {
  return memberOf(error, "code") === LOCK_NOT_AVAILABLE;
}
