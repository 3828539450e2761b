import { DatabaseSync } from "node:sqlite";
import { isRecord } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresTables,
  sqliteInbox,
  sqliteOrder,
  sqliteStore,
} from "@fieldmesh/webhook-types/stores";
import type { EventStore, ReceiverOptions } from "@fieldmesh/webhook-types/receiver";
import type { EventContext } from "@fieldmesh/webhook-types/router";
import type { Pool } from "pg";
import type { Build, ShownRow } from "../subject.ts";
import type { Rows, World } from "../world.ts";
import { mail, objectOf, receiver, type Ids } from "./parts.ts";

/** The parts of a world that a database replaces. */
interface OwnDatabase extends Pick<World, "store" | "order" | "rows"> {
  readonly ids: Ids;
  /** Returns what the table shows. */
  readonly shown: () => ShownRow[] | Promise<ShownRow[]>;
}

/** Builds a receiver whose rows, ids, inbox and order are in a database of its own. */
function withOwn(build: Build, open: (world: World) => OwnDatabase | Promise<OwnDatabase>): Build {
  return async (world) => {
    const { shown, ...own } = await open(world);
    const built = await build({ ...world, ...own });
    const subject = typeof built === "function" ? { receive: built } : built;
    return { ...subject, rows: shown };
  };
}

export function withSqlite(build: Build): Build {
  return withOwn(build, (world) => {
    const database = openSqlite(world);
    const select = database.prepare("SELECT event FROM states WHERE object = ?");
    const upsert = database.prepare(SQLITE_UPSERT);
    const read = (key: string) => eventOf(select.get(key)?.["event"]);
    const write = (key: string, event: EventEnvelope) =>
      void upsert.run(key, JSON.stringify(event));
    const { clock } = world;
    return {
      ids: {
        has: (id) => database.prepare("SELECT 1 FROM done WHERE id = ?").get(id) !== undefined,
        add: (id) => database.prepare("INSERT OR IGNORE INTO done VALUES (?)").run(id),
      },
      // Calls that return at once leave no moment for another delivery, which a handler that waits does.
      rows: {
        get: async (key) => {
          const event = read(key);
          await clock.sleep(1);
          return event;
        },
        set: async (key, event) => {
          await clock.sleep(1);
          write(key, event);
        },
        update: async (key, change) => write(key, change(read(key))),
      },
      // The attempts of an inbox are not counted, and some mistakes are made with them. A receiver may have an inbox of its own.
      store: <S extends EventStore>(make: () => S) => {
        const made = world.store(make);
        return "run" in made ? made : (sqliteStore(database, { clock }) as EventStore as S);
      },
      order: () => sqliteOrder(database, { clock }) as never,
      shown: () => database.prepare(SELECT_ALL).all().map(toShown),
    };
  });
}

function openSqlite(world: World): DatabaseSync {
  const own = world.survives("own database", () => {
    const opened = new DatabaseSync(":memory:");
    opened.exec(TABLES);
    return opened;
  });
  return world.database(own);
}

/** `pool` is that of an empty database. */
export function withPostgres(build: Build, pool: Pool): Build {
  return withOwn(build, async (world) => {
    await world.survives("own database", () => emptyTables(pool));
    const database = world.database(pool);
    const read = async (client: Pick<Pool, "query">, key: string) => {
      const { rows } = await client.query("SELECT event FROM states WHERE object = $1", [key]);
      return eventOf((rows as { event: string }[])[0]?.event);
    };
    const write = async (client: Pick<Pool, "query">, key: string, event: EventEnvelope) => {
      await client.query(POSTGRES_UPSERT, [key, JSON.stringify(event)]);
    };
    const rows: Rows = {
      get: (key) => read(database, key),
      set: (key, event) => write(database, key, event),
      update: async (key, change) => {
        const client = await database.connect();
        try {
          await client.query("BEGIN");
          await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [key]);
          await write(client, key, change(await read(client, key)));
          await client.query("COMMIT");
        } catch (error) {
          await client.query("ROLLBACK");
          throw error;
        } finally {
          client.release();
        }
      },
    };
    return {
      ids: {
        has: async (id) =>
          (await database.query("SELECT 1 FROM done WHERE id = $1", [id])).rows.length > 0,
        add: (id) => database.query("INSERT INTO done VALUES ($1) ON CONFLICT DO NOTHING", [id]),
      },
      rows,
      // The leases of postgresStore end by the clock of the server, which moves on.
      store: (make) => world.store(make),
      order: () => postgresOrder(database) as never,
      shown: () => shownIn(pool),
    };
  });
}

/** Writes a state in the transaction of its event, as the guide shows, and sends a mail. */
function tableReceiver(
  world: World,
  stores: Pick<ReceiverOptions, "store" | "order">,
  write: (event: EventEnvelope, context: EventContext) => unknown,
) {
  return receiver(world, {
    ...stores,
    handlers: {
      "sim.*": async (event, context) => {
        await write(event, context);
        await mail(world, event);
      },
    },
  });
}

/** A table of SQLite. */
export const sqliteTable: Build = (world) => {
  const database = openSqlite(world);
  const { clock } = world;
  const inbox = sqliteInbox(database, { clock });
  const order = sqliteOrder(database, { clock });
  const receive = tableReceiver(world, { store: inbox, order }, (event, context) =>
    inbox.transaction(context).prepare(SQLITE_UPSERT).run(objectOf(event), JSON.stringify(event)),
  );
  return { receive, rows: () => database.prepare(SELECT_ALL).all().map(toShown) };
};

/** The same with a pool. */
export const postgresTable =
  (pool: Pool): Build =>
  async (world) => {
    await world.survives("own database", () => emptyTables(pool));
    const database = world.database(pool);
    const inbox = postgresInbox(database);
    const order = postgresOrder(database);
    const receive = tableReceiver(world, { store: inbox, order }, (event, context) =>
      inbox.transaction(context).query(POSTGRES_UPSERT, [objectOf(event), JSON.stringify(event)]),
    );
    return { receive, rows: () => shownIn(pool) };
  };

const SQLITE_UPSERT =
  "INSERT INTO states VALUES (?, ?) ON CONFLICT (object) DO UPDATE SET event = excluded.event";
const POSTGRES_UPSERT = SQLITE_UPSERT.replace("?, ?", "$1, $2");
const SELECT_ALL = "SELECT event FROM states";
const EMPTY = ["fieldmesh_events", "fieldmesh_objects", "states", "done"]
  .map((table) => `DELETE FROM ${table}`)
  .join(";");

async function emptyTables(pool: Pool): Promise<void> {
  await pool.query(EMPTY);
}

async function shownIn(pool: Pool): Promise<ShownRow[]> {
  return (await pool.query<{ event: string }>(SELECT_ALL)).rows.map(toShown);
}

const TABLES = `CREATE TABLE states (object TEXT PRIMARY KEY, event TEXT NOT NULL);
CREATE TABLE done (id TEXT PRIMARY KEY);`;

/** Creates the tables of {@link withPostgres}. */
export async function createTables(pool: Pool): Promise<void> {
  await pool.query(`${postgresTables()};${postgresOrderTable()};${TABLES}`);
}

function eventOf(text: unknown): EventEnvelope | undefined {
  return typeof text === "string" ? (JSON.parse(text) as EventEnvelope) : undefined;
}

function toShown({ event }: Record<string, unknown>): ShownRow {
  const { type, created_at, data } = JSON.parse(String(event)) as EventEnvelope;
  const object = isRecord(data["object"]) ? String(data["object"]["id"]) : "";
  return { object, created_at, family: type.split(".", 1)[0] };
}
