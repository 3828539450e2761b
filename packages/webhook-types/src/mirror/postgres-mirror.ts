import { againAfterConflict } from "../stores/conflict.ts";
import {
  checkClient,
  type PgPool,
  type PostgresJs,
  type Query,
  senderOf,
} from "../stores/postgres-client.ts";
import { type NewerExists, withLockTimeout } from "../stores/postgres-locks.ts";
import { beginOf, poolBegin } from "../stores/postgres-transaction.ts";
import { createMirror } from "./create-mirror.ts";
import { checkSchemaVersion, explainFailure } from "./explain-failure.ts";
import type { Mirror, MirrorOptions } from "./mirror.ts";
import type { KeyedVersion } from "./read-version.ts";
import { createRows, type Rows } from "./rows.ts";
import { type Dialect, statementsOf } from "./statements.ts";
import { isErasure } from "./version.ts";

/**
 * Creates a mirror in PostgreSQL: one row for each object of the service, with its newest state. Pass the `Pool` of `pg`, or the
 * result of `postgres()`, that the inbox has. Apply the migrations of `migrations/postgres` in this package first.
 *
 * The mirror is the `order` of a receiver. It writes each event in the transaction of the inbox, before your handlers: the newest
 * state, which event wrote it, and whether another event of the same time leaves it in doubt. The row of a deleted object stays, with
 * `deleted_at`. Your handlers run for the same events as with `postgresOrder`.
 *
 * Codes and signed links are never stored, and personal fields only if you name them. `subscriber.redacted` and
 * `subscriber.deleted` clear the personal fields of the subscriber, and of each row that names it.
 *
 * Throws a TypeError for a client or an option that it cannot use. The first event fails if the tables are missing or have another
 * version.
 *
 * @example
 * ```ts
 * const mirror = postgresMirror(pool, { personal: ["sim.msisdn"] });
 * const receive = createReceiver({ secret, store: postgresInbox(pool), order: mirror, handlers: {} });
 * ```
 */
export function postgresMirror(client: PgPool | PostgresJs, options: MirrorOptions = {}): Mirror {
  checkClient("postgresMirror", client, ["connect", "begin"]);
  // Its errors are explained here: the tables of a mirror are not those of a store.
  const begin = "begin" in client ? beginOf(client, senderOf) : poolBegin(client, senderOf);
  const createThrough = createRows(dialect);
  let isChecked = false;

  const rowsOf = async (query: Query): Promise<Rows> => {
    const rows = createThrough(explaining(query));
    if (!isChecked) {
      checkSchemaVersion(await rows.schemaVersion(), "postgres");
      isChecked = true;
    }
    return rows;
  };
  return createMirror(
    "postgresMirror",
    {
      joins: (inbox) => inbox.uses?.(client) === true,
      claim: async (transaction, read, work) => {
        const query = senderOf(transaction as typeof client);
        const rows = await rowsOf(query);
        return withLockTimeout(explaining(query), newerExists(read), () => work(rows));
      },
      read: async (work) => work(await rowsOf(senderOf(client))),
      write: async <T>(work: (rows: Rows) => Promise<T>): Promise<T> =>
        againAfterConflict(async () => {
          const result = Promise.withResolvers<T>();
          await begin(async (_transaction, query) =>
            result.resolve(await work(await rowsOf(query))),
          );
          return result.promise;
        }, undefined),
    },
    options,
  );
}

/** An erasure also clears other rows, so it is never skipped. */
function newerExists({ key, version }: KeyedVersion): NewerExists {
  if (isErasure(version)) return { sql: "false", values: [] };
  const { tenant, family, id, livemode } = key;
  return {
    sql: statements.newerExists,
    values: [tenant, family, id, String(livemode), version.time],
  };
}

function explaining(query: Query): Query {
  return async (sql, values) => {
    try {
      return await query(sql, values);
    } catch (error) {
      throw explainFailure(error, "postgres");
    }
  };
}

const TYPES = { text: "text", flag: "boolean", time: "timestamptz", json: "jsonb" } as const;

const dialect: Dialect = {
  // As a string first, which every client sends as it is.
  place: (number, kind) => `$${number}::text::${TYPES[kind]}`,
  read: {
    text: (column) => column,
    flag: (column) => `${column}::int`,
    time: (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    json: (column) => `${column}::text`,
  },
  contains: (column, place) => `${column} @> to_jsonb(${place})`,
  lock: "FOR UPDATE",
};

const statements = /* @__PURE__ */ statementsOf(dialect);
