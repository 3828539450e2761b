// Delivers events like a service, each until a 2xx, to processes that are killed meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { stringifyJson } from "@fieldmesh/core";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { postgresTables } from "@fieldmesh/webhook-types/stores";
import { Redis } from "ioredis";
import pg from "pg";
import { EFFECTS, FAILURES, OVERLAPS, POINTS, TABLE, type Kind } from "./kill-points.ts";
import { shuffle, startReceivers } from "./receivers.ts";

export interface KillRun {
  readonly kind: Kind;
  readonly postgresUrl: string;
  readonly redisUrl?: string | undefined;
  readonly events: number;
  readonly processes: number;
  readonly kills: number;
  /** The most deliveries that a process has in progress, which a kill interrupts. */
  readonly inProgress: number;
}

const COPIES = 3;
const LEASE_MS = 2_000;
const FAILURE_RATE = 0.02;
const SECRET = "whsec_canary_of_the_bench";
const CANARY = "a name that must not be stored";
const RETRY_AFTER_MS = 50;
/** The share of the run in which kills happen. Later, most deliveries are duplicates, which end at the claim. */
const SHARE_WITH_KILLS = 0.6;

export type KillOutcome = Awaited<ReturnType<typeof runKills>>;

/** Runs one round on new tables and counts its effects. */
export async function runKills(run: KillRun) {
  const { kind, postgresUrl, redisUrl, events, processes, inProgress } = run;
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 2 });
  pool.on("error", () => {});
  await createTables(pool);
  const task = {
    kind,
    postgresUrl,
    redisUrl,
    secret: SECRET,
    lease: LEASE_MS,
    failureRate: FAILURE_RATE,
  };
  const receivers = await startReceivers({
    program: "receiver/child.ts",
    task,
    processes,
    inProgress,
  });
  const bodies = Array.from({ length: events }, (_, index) => bodyOf(`evt_${Date.now()}_${index}`));
  const queue = shuffle(bodies.flatMap((body) => Array.from({ length: COPIES }, () => body)));
  const total = queue.length;
  let sent = 0;
  let accepted = 0;
  let interrupted = 0;

  const deliverAll = async (): Promise<void> => {
    while (accepted < total) {
      const body = queue.pop();
      if (body === undefined) {
        await sleep(RETRY_AFTER_MS);
        continue;
      }
      sent += 1;
      const outcome = await receivers.deliver(body);
      if (outcome === "interrupted") interrupted += 1;
      if (outcome === "accepted") {
        accepted += 1;
      } else {
        await sleep(RETRY_AFTER_MS);
        queue.unshift(body);
      }
      // Spread over the run, each at the next point of the list.
      const shareOfKills = receivers.requestedKills() / run.kills;
      if (shareOfKills < 1 && accepted >= shareOfKills * SHARE_WITH_KILLS * total)
        receivers.kill(POINTS[receivers.requestedKills() % POINTS.length]!);
    }
  };
  await Promise.all(Array.from({ length: processes * inProgress }, deliverAll));
  await receivers.stop();
  const counts = await countEffects(pool, run);
  await pool.end();
  return {
    /** How many deliveries were sent, including those without a 2xx. */
    deliveries: sent,
    kills: receivers.kills(),
    /** Deliveries that ended without a response. */
    interrupted,
    ...counts,
  };
}

function bodyOf(id: string): string {
  return stringifyJson(sampleEvent("plan.created", { id, data: { object: { name: CANARY } } }));
}

async function createTables(pool: pg.Pool): Promise<void> {
  for (const table of [TABLE, EFFECTS, OVERLAPS, FAILURES])
    await pool.query(`DROP TABLE IF EXISTS ${table}`);
  await pool.query(postgresTables(TABLE));
  for (const table of [EFFECTS, OVERLAPS, FAILURES])
    await pool.query(`CREATE TABLE ${table} (event_id text)`);
}

async function countEffects(pool: pg.Pool, { events, redisUrl }: KillRun) {
  const count = async (from: string): Promise<number> =>
    Number((await pool.query(`SELECT count(*) AS n FROM ${from}`)).rows[0].n);
  const effects = await count(EFFECTS);
  const distinct = await count(`(SELECT DISTINCT event_id FROM ${EFFECTS}) AS events`);
  const { rows } = await pool.query(`SELECT * FROM ${TABLE}`);
  const stored = JSON.stringify(rows) + (await dumpRedis(redisUrl));
  return {
    /** Events that have a 2xx and no effect. */
    lost: events - distinct,
    /** Effects beyond the first of each event. */
    duplicates: effects - distinct,
    /** Handlers that ran while another one handled the same event. */
    concurrent: await count(OVERLAPS),
    /** Runs whose second handler failed. */
    failures: await count(FAILURES),
    /** How many fields of an event, or secrets, were found in a row or key. */
    leaks: [CANARY, SECRET].filter((canary) => stored.includes(canary)).length,
  };
}

/** Returns everything that Redis stores about events. */
async function dumpRedis(url: string | undefined): Promise<string> {
  if (url === undefined) return "";
  const redis = new Redis(url);
  const keys = await redis.keys("fieldmesh:event:*");
  const values = await Promise.all(keys.map((key) => redis.hgetall(key)));
  redis.disconnect();
  return JSON.stringify([keys, values]);
}
