import pg from "pg";
import postgres from "postgres";
import { expect } from "vitest";
import { postgresMirror } from "../../mirror/src/index.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresPoison,
  postgresStore,
  postgresTables,
} from "../src/stores/index.ts";
import { startBlackHole } from "../../../tools/testing/black-hole.ts";
import { everyRule, type Bed, type Cell, type Rule } from "./drivers.ts";

interface Settings {
  readonly max?: number;
  /** `connectionTimeoutMillis` of the pool. */
  readonly timeout?: number;
  /** The table that cannot be written when the disk is full. */
  readonly full?: "fieldmesh_events" | "effects";
}

let databases = 0;

/** A new database of a server, and its URL through `url`, which is that of the server or of its pooler. */
export async function newDatabase(server: string, url: string) {
  const name = `drivers_${process.pid}_${(databases += 1)}`;
  const run = async (sql: string): Promise<void> => {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(sql);
    await admin.end();
  };
  await run(`CREATE DATABASE ${name}`);
  const within = (address: string): string => address.replace(/\/[^/]*$/, `/${name}`);
  const control = new pg.Pool({ connectionString: within(server), max: 1 });
  control.on("error", () => {});
  /** Ends the connections of the server to its clients, or to a pooler. */
  const endOthers = async () =>
    control.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
  return {
    name,
    url: within(url),
    control,
    alter: async (change: string) => run(`ALTER DATABASE ${name} ${change}`),
    count: async (what: string) =>
      Number((await control.query(`SELECT count(*) AS n FROM ${what}`)).rows[0].n),
    endOthers,
    close: async () => {
      await endOthers();
      await control.end();
    },
  };
}

/** Lets the database raise an error for each row that is written and meets a condition. */
const raising = (state: string, condition: string, table = "fieldmesh_events") => `
CREATE OR REPLACE FUNCTION raise_it() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN IF ${condition} THEN RAISE EXCEPTION 'of a test' USING ERRCODE = '${state}'; END IF; RETURN NEW; END $$;
CREATE OR REPLACE TRIGGER raise_it BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION raise_it()`;

/** Cells of `pg`, which reaches a server through `url`. */
export function cellsOfPg(server: string, url: string): Record<Rule, Cell> {
  const cell = (settings: Settings = {}, more: Record<string, Settings> = {}): Cell => ({
    beds: {
      inbox: () => bedOf("inbox", settings),
      store: () => bedOf("store", settings),
      ...Object.fromEntries(
        Object.entries(more).map(([name, each]) => [name, () => bedOf("inbox", each)]),
      ),
    },
  });

  async function bedOf(
    kind: "inbox" | "store",
    { max = 3, timeout = 5_000, full }: Settings,
  ): Promise<Bed> {
    const database = await newDatabase(server, url);
    const { control, alter, count, endOthers } = database;
    await control.query(`${postgresTables()}; CREATE TABLE effects (id text)`);
    const hole = await startBlackHole(database.url);
    const pool = new pg.Pool({
      connectionString: hole.url,
      max,
      connectionTimeoutMillis: timeout,
    });
    pool.on("error", () => {});
    const isInbox = kind === "inbox";
    const inbox = postgresInbox(pool);
    const insert = "INSERT INTO effects VALUES ($1)";
    const through = (context: Parameters<Bed["query"]>[0]) =>
      isInbox ? inbox.transaction(context) : pool;
    const raise = "DO $$ BEGIN RAISE EXCEPTION 'of a test' USING ERRCODE = '40001'; END $$";
    return {
      isInbox,
      store: isInbox ? inbox : postgresStore(pool),
      write: (context, id) => through(context).query(insert, [id]),
      query: (context) => through(context).query("SELECT 1"),
      marks: async () => count("fieldmesh_events WHERE done_at IS NOT NULL"),
      rows: async () => count("effects"),
      close: async () => {
        hole.close();
        void pool.end();
        await database.close();
      },
      hole,
      last: (id) => (isInbox ? ["COMMIT"] : [id, Buffer.from(id).toString("hex")]),
      pool: () => {},
      setReadOnly: async (isReadOnly) => {
        if (isReadOnly) return alter("SET default_transaction_read_only = on");
        await alter("RESET default_transaction_read_only");
        // Its connection is not reused, because the server that it leads to stays read-only.
        expect(pool.totalCount).toBe(0);
        // Those of a pooler are.
        if (url !== server) await endOthers();
      },
      conflict: (context) => isInbox && inbox.transaction(context).query(raise),
      setConflict: async (isOn) => {
        await alter("SET default_transaction_isolation = serializable");
        if (!isInbox) await control.query(raising("40001", String(isOn)));
      },
      setFull: async (isFull) => control.query(raising("53100", String(isFull), full)),
      breakEvent: async (id) => control.query(raising("23514", `NEW.id = '${id}'`)),
      askPool: () => pool.query("SELECT 1"),
    };
  }

  return everyRule(cell(), {
    "a path that freezes": cell({ timeout: 10_000 }),
    "a pooler":
      url === server
        ? { doesNotApply: "no pooler is in this row" }
        : cell({ max: 10, timeout: 10_000 }),
    "a conflict of transactions": cell({ max: 10 }),
    "a full disk": cell({}, { "inbox, in the query of a handler": { full: "effects" } }),
    "a pool that handlers use": cell(
      { max: 4, timeout: 10_000 },
      { "inbox without connectionTimeoutMillis": { max: 4, timeout: 0 } },
    ),
  });
}

/** Cells of postgres.js: nothing accepts its client. */
export function cellsOfPostgresJs(server: string): Record<Rule, Cell> {
  const proof = async (): Promise<void> => {
    const sql = postgres(server, { onnotice: () => {}, max: 1 });
    const accepting = [
      postgresInbox,
      postgresStore,
      postgresOrder,
      postgresPoison,
      postgresMirror,
    ].filter((create) => {
      try {
        return create(sql as never) !== undefined;
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expect(String(error)).toMatch(/new Pool\(\{ connectionString \}\).*databases/s);
        return false;
      }
    });
    expect(accepting.map(({ name }) => name)).toEqual([]);
    await sql.end();
  };
  return everyRule({ proof });
}
