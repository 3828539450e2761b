// Delivers events to processes that are killed meanwhile, as a service would: again and again until a 2xx.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringifyJson } from "@fieldmesh/core";
import { sign } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { postgresTables } from "@fieldmesh/webhook-types/stores";
import { Redis } from "ioredis";
import pg from "pg";
import {
  EFFECTS,
  FAILURES,
  OVERLAPS,
  POINTS,
  TABLE,
  type ChildOptions,
  type Kind,
  type Point,
} from "./kill-points.ts";

export interface KillRun {
  readonly kind: Kind;
  readonly postgresUrl: string;
  readonly redisUrl?: string | undefined;
  readonly events: number;
  readonly processes: number;
  readonly kills: number;
  /** How many deliveries a process has in hand at most: so many a kill may cut off. */
  readonly inHand: number;
}

export interface KillOutcome {
  readonly events: number;
  /** How many deliveries were sent, those that were answered no 2xx included. */
  readonly deliveries: number;
  readonly kills: number;
  /** Deliveries that a kill cut off in the middle. */
  readonly cutOff: number;
  /** Events that were answered 2xx and have no effect. */
  readonly lost: number;
  /** Effects beyond the first of each event. */
  readonly doubled: number;
  /** Runs that met another run of the same event. */
  readonly atOnce: number;
  /** Runs whose second handler failed. */
  readonly failures: number;
  /** Whether the event's code or secret was found in a row or key. */
  readonly leaks: number;
}

const COPIES = 3;
const LEASE = 2_000;
const SHARE_FAILING = 0.02;
const SECRET = "whsec_canary_of_the_bench";
const CANARY = "a name that must not be stored";
const RETRY_AFTER = 50;
/** Later on nearly all deliveries are duplicates, which never come to the points behind the claim. */
const SHARE_WITH_KILLS = 0.6;

/** Runs one round on tables of its own and counts what came of it. */
export async function runKills(run: KillRun): Promise<KillOutcome> {
  const { kind, postgresUrl, redisUrl, events, processes, inHand } = run;
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 2 });
  await prepare(pool);
  const options: ChildOptions = {
    kind,
    postgresUrl,
    redisUrl,
    secret: SECRET,
    lease: LEASE,
    failing: SHARE_FAILING,
  };
  const fleet = await startFleet(options, processes, inHand);
  const bodies = Array.from({ length: events }, (_, index) => bodyOf(`evt_${Date.now()}_${index}`));
  const queue = shuffle(bodies.flatMap((body) => Array.from({ length: COPIES }, () => body)));
  const total = queue.length;
  let sent = 0;
  let done = 0;
  let cutOff = 0;

  const deliverAll = async (): Promise<void> => {
    while (done < total) {
      const body = queue.pop();
      if (body === undefined) {
        await sleep(RETRY_AFTER);
        continue;
      }
      sent += 1;
      const answer = await fleet.withOne((url) => deliver(url, body));
      if (answer === "cut off") cutOff += 1;
      if (answer === "done") {
        done += 1;
      } else {
        await sleep(RETRY_AFTER);
        queue.unshift(body);
      }
      // Spread over the run, each at the next point of the list.
      const shareOfKills = fleet.killed() / run.kills;
      if (shareOfKills < 1 && done >= shareOfKills * SHARE_WITH_KILLS * total)
        fleet.kill(POINTS[fleet.killed() % POINTS.length] ?? "after claim");
    }
  };
  await Promise.all(Array.from({ length: processes * inHand }, deliverAll));
  await fleet.stop();
  const outcome = await count(pool, run);
  await pool.end();
  return { ...outcome, events, deliveries: sent, kills: fleet.died(), cutOff };
}

async function startFleet(options: ChildOptions, processes: number, inHand: number) {
  const alive = new Set<ChildProcess>();
  const children: { child: ChildProcess; url: string; busy: number; isArmed: boolean }[] = [];
  let told = 0;
  let died = 0;
  let isStopping = false;
  const start = async (): Promise<void> => {
    const child = fork(join(import.meta.dirname, "child.ts"), {
      env: { ...process.env, NODE_OPTIONS: "", RECEIVER_WORK: JSON.stringify(options) },
      execArgv: [],
    });
    alive.add(child);
    const ended = once(child, "exit").then(() => {
      alive.delete(child);
      const place = children.findIndex((member) => member.child === child);
      if (place !== -1) children.splice(place, 1);
      if (isStopping) return;
      died += 1;
      void start();
    });
    const started = once(child, "message").then(([port]: number[]) => {
      children.push({ child, url: `http://127.0.0.1:${port}/`, busy: 0, isArmed: false });
    });
    await Promise.race([started, ended]);
  };
  await Promise.all(Array.from({ length: processes }, start));
  const pick = (members: typeof children) => members[Math.floor(Math.random() * members.length)];
  return {
    /** Delivers to a process that has a hand free. */
    withOne: async (work: (url: string) => Promise<Answer>): Promise<Answer | undefined> => {
      const member = pick(children.filter(({ busy }) => busy < inHand));
      if (member === undefined) return undefined;
      member.busy += 1;
      try {
        return await work(member.url);
      } finally {
        member.busy -= 1;
      }
    },
    kill: (point: Point) => {
      const member = pick(children.filter(({ isArmed }) => !isArmed));
      // One that has just died is still on the list until its end is heard of.
      if (member?.child.connected !== true) return;
      told += 1;
      member.isArmed = true;
      member.child.send(point, () => {});
    },
    killed: () => told,
    died: () => died,
    stop: async () => {
      isStopping = true;
      await Promise.all(
        [...alive].map(async (child) => {
          const ended = once(child, "exit");
          child.kill("SIGKILL");
          await ended;
        }),
      );
    },
  };
}

type Answer = "done" | "again" | "cut off";

async function deliver(url: string, body: string): Promise<Answer> {
  const headers = await sign({ secret: SECRET, body });
  try {
    const answer = await fetch(url, { method: "POST", headers, body });
    await answer.body?.cancel();
    return answer.ok ? "done" : "again";
  } catch {
    return "cut off";
  }
}

function bodyOf(id: string): string {
  return stringifyJson(sampleEvent("plan.created", { id, data: { object: { name: CANARY } } }));
}

async function prepare(pool: pg.Pool): Promise<void> {
  for (const table of [TABLE, EFFECTS, OVERLAPS, FAILURES])
    await pool.query(`DROP TABLE IF EXISTS ${table}`);
  await pool.query(postgresTables(TABLE));
  for (const table of [EFFECTS, OVERLAPS, FAILURES])
    await pool.query(`CREATE TABLE ${table} (event_id text)`);
}

async function count(pool: pg.Pool, { events, redisUrl }: KillRun) {
  const one = async (sql: string): Promise<number> => Number((await pool.query(sql)).rows[0].n);
  const effects = await one(`SELECT count(*) AS n FROM ${EFFECTS}`);
  const distinct = await one(`SELECT count(DISTINCT event_id) AS n FROM ${EFFECTS}`);
  const { rows } = await pool.query(`SELECT * FROM ${TABLE}`);
  const stored = JSON.stringify(rows) + (await redisDump(redisUrl));
  return {
    lost: events - distinct,
    doubled: effects - distinct,
    atOnce: await one(`SELECT count(*) AS n FROM ${OVERLAPS}`),
    failures: await one(`SELECT count(*) AS n FROM ${FAILURES}`),
    leaks: [CANARY, SECRET].filter((canary) => stored.includes(canary)).length,
  };
}

/** All that Redis holds of the events, as text. */
async function redisDump(url: string | undefined): Promise<string> {
  if (url === undefined) return "";
  const redis = new Redis(url);
  const keys = await redis.keys("fieldmesh:event:*");
  const values = await Promise.all(keys.map((key) => redis.hgetall(key)));
  redis.disconnect();
  return JSON.stringify([keys, values]);
}

function shuffle<T>(values: T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
