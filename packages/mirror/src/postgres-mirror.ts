import { recordOf } from "@fieldmesh/core/internal";
import {
  type LentSql,
  openPostgres,
  type PgPool,
  type Query,
  queryOn,
  sendIn,
  TRANSACTION_ID,
} from "@fieldmesh/core/internal/database";
import {
  isErasure,
  isLocked,
  LIMIT_LOCKS,
  RESTORE_LOCKS,
} from "@fieldmesh/webhook-types/internal/mirror";
import type { ObjectClaim } from "@fieldmesh/webhook-types/receiver";
import { createMirror } from "./create-mirror.ts";
import { checkSchemaVersion, explained } from "./explain-failure.ts";
import type { Mirror, MirrorOptions } from "./mirror.ts";
import { isPlacing } from "./placement.ts";
import { asOf, type KeyedVersion } from "./version.ts";
import { createRows, type Rows } from "./rows.ts";
import { type Dialect, statementsOf } from "./statements.ts";

/**
 * Creates a mirror in PostgreSQL: one row for each object of the service, with its newest state. Pass the `Pool` of `pg` that
 * the inbox has. Apply the migrations of `migrations/postgres` in this package first.
 *
 * The mirror is the `order` of a receiver. It writes each event in the transaction of the inbox, before your handlers: the newest
 * state, which event wrote it, and whether another event of the same time leaves it in doubt. The row of a deleted object stays, with
 * `deleted_at`. Every event counts in its order, also one without a handler.
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
export function postgresMirror(pool: PgPool, options: MirrorOptions = {}): Mirror {
  const { queryAlone, transaction } = openPostgres("postgresMirror", pool);
  const createThrough = createRows(dialect);
  let isChecked = false;

  const rowsOf = async (query: Query): Promise<Rows> => {
    const rows = createThrough(query);
    if (!isChecked) {
      checkSchemaVersion(await rows.schemaVersion(), "postgres");
      isChecked = true;
    }
    return rows;
  };
  const claim = async (
    send: LentSql["send"],
    read: KeyedVersion,
    work: (rows: Rows, read: KeyedVersion) => Promise<ObjectClaim>,
  ): Promise<ObjectClaim> => {
    const rows = await rowsOf(queryOn({ send }));
    const { key, version } = read;
    const { tenant, family, id, livemode } = key;
    const values = [tenant, family, id, String(livemode), version.time, version.id];
    const [, found] = await send([{ text: LIMIT_LOCKS }, { text: statements.place, values }]);
    const { first, older } = recordOf(found?.rows[0]);
    // An erasure also clears other rows, and what places a SIM counts later too, so these are never skipped.
    if (older === true && !isErasure(version) && !isPlacing(version)) return "older";
    const place = await work(rows, asOf(first, read));
    await send([{ text: RESTORE_LOCKS }]);
    return place;
  };
  return createMirror(
    "postgresMirror",
    {
      joins: (inbox) => inbox.uses?.(pool) === true,
      claim: async (lent, read, work) => {
        try {
          return await claim(explaining(sendIn(lent)), read, work);
        } catch (error) {
          if (isLocked(error)) return "locked";
          throw error;
        }
      },
      alone: async (work) =>
        work(await rowsOf((text, values) => explained("postgres", () => queryAlone(text, values)))),
      write: (work) =>
        transaction({ text: `SELECT ${TRANSACTION_ID}` }, async ({ send }) =>
          work(await rowsOf(queryOn({ send: explaining(send) }))),
        ),
    },
    options,
  );
}

function explaining(send: LentSql["send"]): LentSql["send"] {
  return (statements) => explained("postgres", () => send(statements));
}

const TYPES = { text: "text", flag: "boolean", time: "timestamptz", json: "jsonb" } as const;

const dialect: Dialect = {
  // As a string first, which every client sends as it is.
  place: (number, kind) => `$${number}::text::${TYPES[kind]}`,
  read: {
    text: (column) => column,
    flag: (column) => `${column}::int`,
    time: (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    json: (column) => `${column}::text`,
  },
  contains: (column, place) => `${column} @> to_jsonb(${place})`,
  lock: "FOR UPDATE",
};

const statements = /* @__PURE__ */ statementsOf(dialect);
