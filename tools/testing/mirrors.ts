import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll } from "vitest";
import { root } from "../packages.ts";
import { startPostgres } from "../servers.ts";
import { signedRequest, type WebhookEvent } from "@fieldmesh/webhook-types";
import { sqliteMirror, postgresMirror, type Mirror, type MirrorOptions } from "@fieldmesh/mirror";
import {
  createReceiver,
  type Inbox,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import { postgresInbox, postgresTables, sqliteInbox } from "@fieldmesh/webhook-types/stores";

type Database = "postgres" | "sqlite";

/** The tables of the package, as one script. */
export const migrationOf = (database: Database): string =>
  readFileSync(join(root, "packages/mirror/migrations", database, "001-mirror.sql"), "utf8");

/** The views of the package, as they are checked in. */
const viewsOf = (database: Database): string =>
  readFileSync(join(root, "packages/mirror/views", `${database}.sql`), "utf8");

/** A mirror in a new database, with the inbox of its receiver. */
export interface TestMirror {
  readonly mirror: Mirror;
  readonly inbox: Inbox;
  /** Another mirror of the same database, as in another process. */
  again(options?: MirrorOptions): Mirror;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Runs a script. */
  run(sql: string): Promise<unknown>;
}

/**
 * Starts a PostgreSQL for a test file, and returns what creates mirrors. Files may share this module, so that the server of one would
 * end before the tests of another.
 */
export async function startMirrors() {
  const server = await startPostgres();
  const closing: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
    if (server.url !== undefined) await server.stop();
  });

  /** A new database of the server. */
  async function newDatabase(): Promise<string> {
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    const name = `mirror_${process.pid}_${(databases += 1)}`;
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    return String(server.url).replace(/\/postgres$/, `/${name}`);
  }

  function openPool(connectionString: string): pg.Pool {
    const pool = new pg.Pool({ connectionString, max: 10 });
    pool.on("error", () => {});
    closing.push(() => pool.end());
    return pool;
  }

  async function throughPg(options?: MirrorOptions): Promise<TestMirror> {
    const pool = openPool(await newDatabase());
    const run = (sql: string) => pool.query(sql);
    await run(migrationOf("postgres") + postgresTables());
    await run(viewsOf("postgres"));
    return {
      mirror: postgresMirror(pool, options),
      inbox: postgresInbox(pool),
      again: (others) => postgresMirror(pool, others),
      query: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
      run,
    };
  }

  async function throughSqlite(options?: MirrorOptions): Promise<TestMirror> {
    const database = new DatabaseSync(":memory:");
    closing.push(() => database.close());
    const run = async (sql: string) => database.exec(sql);
    await run(migrationOf("sqlite") + viewsOf("sqlite"));
    return {
      mirror: sqliteMirror(database, options),
      inbox: sqliteInbox(database),
      again: (others) => sqliteMirror(database, others),
      query: async (sql) => database.prepare(sql).all() as Record<string, unknown>[],
      run,
    };
  }

  /** Every way to a mirror. Without PostgreSQL, only SQLite. */
  const mirrors: readonly (readonly [
    name: string,
    create: (options?: MirrorOptions) => Promise<TestMirror>,
    database: Database,
  ])[] = [
    ["SQLite", throughSqlite, "sqlite"],
    ...(server.url === undefined ? [] : ([["pg", throughPg, "postgres"]] as const)),
  ];

  return { server, newDatabase, openPool, throughPg, throughSqlite, mirrors };
}

let databases = 0;

/** Delivers events to a receiver with the mirror, and returns the outcome of each. */
export function deliverTo(
  { mirror, inbox }: TestMirror,
  options: Partial<ReceiverOptions> = {},
): (event: WebhookEvent) => Promise<string> {
  const secret = "whsec_test";
  const receive = createReceiver({
    secret,
    store: inbox,
    order: mirror,
    handlers: {},
    ...options,
  });
  return async (event) => {
    const request = await signedRequest(event, { url: "http://127.0.0.1/", secret });
    return (await receive(request)).text();
  };
}
