// Delivers two events of each object at the same moment to two processes that are killed meanwhile, and counts old states.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { stringifyJson } from "@fieldmesh/core";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import {
  postgresOrderTable,
  postgresTables,
  sqliteInbox,
  sqliteOrder,
} from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { POINTS } from "./kill-points.ts";
import { RACE_EVENTS, RACE_OBJECTS, STATES, type RaceKind, type RaceTask } from "./race-task.ts";
import { shuffle, startReceivers } from "./receivers.ts";

export interface RaceRun {
  readonly kind: RaceKind;
  /** The URL of a PostgreSQL, or the path of an SQLite file. */
  readonly database: string;
  readonly objects: number;
  readonly kills: number;
}

const PROCESSES = 2;
const PAIRS_AT_ONCE = 8;
const SECRET = "whsec_canary_of_the_bench";
const RETRY_AFTER_MS = 50;
const [OLDER, NEWER] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"];
/** The share of the objects during which kills happen. */
const SHARE_WITH_KILLS = 0.8;

/** Runs one round on new tables. */
export async function runRaces({ kind, database, objects, kills }: RaceRun) {
  const states = kind === "sqlite" ? openSqlite(database) : await openPostgres(database);
  const task: RaceTask = { kind, database, secret: SECRET };
  const receivers = await startReceivers({
    program: "receiver/race-child.ts",
    task,
    processes: PROCESSES,
    inProgress: PAIRS_AT_ONCE,
  });
  let deliveries = 0;
  let next = 0;

  const deliver = async (id: string, created_at: string): Promise<void> => {
    const event = { id: `evt_${id}_${created_at}`, created_at, data: { object: { id } } };
    const body = stringifyJson(sampleEvent("plan.updated", event));
    for (;;) {
      const outcome = await receivers.deliver(body);
      // No process had room, or all were starting.
      if (outcome !== undefined) deliveries += 1;
      if (outcome === "accepted") return;
      await sleep(Math.random() * RETRY_AFTER_MS);
    }
  };
  const deliverPairs = async (): Promise<void> => {
    while (next < objects) {
      const id = `plan_${(next += 1)}`;
      const shareOfKills = receivers.requestedKills() / kills;
      if (shareOfKills < 1 && next >= shareOfKills * SHARE_WITH_KILLS * objects)
        receivers.kill(POINTS[receivers.requestedKills() % POINTS.length]!);
      await Promise.all(shuffle([OLDER, NEWER]).map((created_at) => deliver(id, created_at)));
    }
  };
  await Promise.all(Array.from({ length: PAIRS_AT_ONCE }, deliverPairs));
  await receivers.stop();
  const rows = await states.read();
  await states.close();
  return {
    /** How many deliveries were sent, including those without a 2xx. */
    deliveries,
    kills: receivers.kills(),
    /** Objects whose row shows the older event. */
    old: rows.filter((row) => row.created_at !== NEWER).length,
    /** Objects without a row. */
    missing: objects - rows.length,
  };
}

interface State {
  readonly created_at: string;
}

/** Creates the tables of a round. */
interface States {
  read(): State[] | Promise<State[]>;
  close(): void | Promise<void>;
}

async function openPostgres(url: string): Promise<States> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {});
  await pool.query(`DROP TABLE IF EXISTS ${RACE_EVENTS}, ${RACE_OBJECTS}, ${STATES}`);
  await pool.query(postgresTables(RACE_EVENTS) + postgresOrderTable(RACE_OBJECTS));
  await pool.query(`CREATE TABLE ${STATES} (id text PRIMARY KEY, created_at text)`);
  return {
    read: async () => (await pool.query<State>(`SELECT created_at FROM ${STATES}`)).rows,
    close: () => pool.end(),
  };
}

function openSqlite(file: string): States {
  const connection = new DatabaseSync(file);
  connection.exec("PRAGMA journal_mode = WAL");
  connection.exec(`CREATE TABLE ${STATES} (id TEXT PRIMARY KEY, created_at TEXT)`);
  // They create their tables before the processes start.
  sqliteInbox(connection, { table: RACE_EVENTS });
  sqliteOrder(connection, { table: RACE_OBJECTS });
  return {
    read: () => connection.prepare(`SELECT created_at FROM ${STATES}`).all() as unknown as State[],
    close: () => connection.close(),
  };
}
