// A receiver that writes the newest state of each object into a table. run-races.ts starts it.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import {
  createReceiver,
  type EventStore,
  type ObjectOrder,
} from "@fieldmesh/webhook-types/receiver";
import type { EventContext } from "@fieldmesh/webhook-types/router";
import {
  postgresInbox,
  postgresOrder,
  postgresStore,
  sqliteInbox,
  sqliteOrder,
} from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { readTask, serveInChild } from "../support/child.ts";
import { dyingInbox, reach } from "./dying.ts";
import {
  LONGEST_HANDLER_MS,
  RACE_EVENTS,
  RACE_OBJECTS,
  STATES,
  type RaceKind,
  type RaceTask,
} from "./race-task.ts";

interface Table {
  readonly store: EventStore;
  readonly order: ObjectOrder;
  /** Replaces the whole row of an object, whatever it shows. */
  readonly write: (context: EventContext, id: string, createdAt: string) => unknown;
}

const { kind, secret, database } = readTask() as RaceTask;
const options = { table: RACE_EVENTS };
const orderOptions = { table: RACE_OBJECTS };
const upsert = (first: string, second: string): string =>
  `INSERT INTO ${STATES} VALUES (${first}, ${second}) ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at`;

const tables: Readonly<Record<RaceKind, () => Table>> = {
  pg: () => {
    const pool = openPool();
    const inbox = postgresInbox(pool, options);
    return {
      store: dyingInbox(inbox),
      order: postgresOrder(pool, orderOptions),
      write: (context, ...values) => inbox.transaction(context).query(upsert("$1", "$2"), values),
    };
  },
  sqlite: () => {
    const connection = new DatabaseSync(database);
    const inbox = sqliteInbox(connection, options);
    return {
      store: dyingInbox(inbox),
      order: sqliteOrder(connection, orderOptions),
      write: (context, ...values) =>
        inbox
          .transaction(context)
          .prepare(upsert("?", "?"))
          .run(...values),
    };
  },
  beside: () => {
    const pool = openPool();
    return {
      store: postgresStore(pool, options),
      order: postgresOrder(pool, orderOptions),
      write: (_context, ...values) => pool.query(upsert("$1", "$2"), values),
    };
  },
};

function openPool(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: database,
    connectionTimeoutMillis: 10_000,
    max: 10,
  });
  // The query that uses a broken connection reports it.
  pool.on("error", () => {});
  return pool;
}

const { store, order, write } = tables[kind]();
const receive = createReceiver({
  secret,
  store,
  order,
  // Failures are expected here: the sender retries.
  onError: () => {},
  handlers: {
    "plan.*": async ({ created_at, data: { object } }, context) => {
      reach("in the handler");
      await sleep(Math.random() * LONGEST_HANDLER_MS);
      await write(context, String(object.id), created_at);
      reach("after its effect");
    },
  },
});
const handle = toNodeHandler(receive);
await serveInChild((req, res) => void handle(req, res));
