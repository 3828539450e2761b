// Delivers each event twice to processes that are killed and stopped meanwhile, and counts the effects of each event.
import { setTimeout as sleep } from "node:timers/promises";
import { stringifyJson } from "@fieldmesh/core";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { postgresTables } from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { shuffle } from "../receiver/receivers.ts";
import { startProcesses } from "./processes.ts";
import { openEngine } from "./sides.ts";
import { EFFECTS, type DeliveryTask, type EngineName } from "./task.ts";

export interface DeliveryRun {
  readonly engine: EngineName;
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly events: number;
  readonly processes: number;
  /** How often a process is killed with SIGKILL, and stopped with SIGSTOP. */
  readonly kills: number;
  readonly stops: number;
  /** How long a process is stopped, in milliseconds. */
  readonly stopFor: number;
  readonly lease: number;
  /** Kills the queue itself, and starts it again. */
  readonly restart?: () => Promise<void>;
  readonly restarts?: number;
}

const COPIES = 2;
const IN_PROGRESS = 32;
const FAILURE_RATE = 0.02;
const RETRY_AFTER = 200;
/** The share of the deliveries in which kills happen. */
const SHARE_WITH_KILLS = 0.8;
const SECRET = "whsec_canary_of_the_bench";

export function bodyOf(id: string): string {
  return stringifyJson(sampleEvent("plan.created", { id }));
}

export async function createTables(pool: pg.Pool): Promise<void> {
  await pool.query(`DROP SCHEMA IF EXISTS pgboss CASCADE`);
  await pool.query(`DROP TABLE IF EXISTS fieldmesh_events, ${EFFECTS}`);
  await pool.query(postgresTables());
  await pool.query(`CREATE TABLE ${EFFECTS} (event_id text)`);
}

/** Runs one round on new tables. */
export async function runDeliveries(run: DeliveryRun) {
  const { engine, postgresUrl, redisUrl, events, processes, lease } = run;
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 4 });
  pool.on("error", () => {});
  await createTables(pool);
  const task: DeliveryTask = {
    engine,
    queue: `deliveries-${Date.now()}`,
    postgresUrl,
    redisUrl,
    secret: SECRET,
    lease,
    concurrency: 10,
    failureRate: FAILURE_RATE,
  };
  const watcher = await openEngine(task, pool);
  const all = await startProcesses(task, processes);
  const ids = Array.from({ length: events }, (_, index) => `evt_${index}`);
  const queue = shuffle(ids.flatMap((id) => Array.from({ length: COPIES }, () => id)));
  const total = queue.length;
  const faults = plan(run);
  const planned = faults.length;
  let accepted = 0;
  let rejected = 0;
  const startedAt = performance.now();

  const next = async (): Promise<void> => {
    const share = (planned - faults.length) / planned;
    if (accepted < share * SHARE_WITH_KILLS * total) return;
    const fault = faults.shift();
    if (fault === "kill" && !all.kill()) faults.push(fault);
    if (fault === "stop" && !all.stop(run.stopFor)) faults.push(fault);
    if (fault === "restart") await run.restart?.();
  };
  const deliverAll = async (): Promise<void> => {
    while (accepted < total) {
      const id = queue.pop();
      if (id === undefined) {
        await sleep(RETRY_AFTER);
        continue;
      }
      if (await all.deliver(bodyOf(id))) {
        accepted += 1;
      } else {
        rejected += 1;
        queue.unshift(id);
        await sleep(RETRY_AFTER);
      }
      if (faults.length > 0) await next();
    }
  };
  await Promise.all(Array.from({ length: IN_PROGRESS }, deliverAll));
  const acceptedIn = performance.now() - startedAt;
  const { jobs, open } = await waitForJobs(watcher.count);
  const doneIn = performance.now() - startedAt;
  await all.end();
  await watcher.close();
  const sql = `SELECT count(*)::int AS effects, count(DISTINCT event_id)::int AS handled FROM ${EFFECTS}`;
  const { effects, handled } = (await pool.query<{ effects: number; handled: number }>(sql))
    .rows[0]!;
  await pool.end();
  return {
    deliveries: total,
    /** Deliveries without a 2xx, which were sent again. */
    rejected,
    jobs,
    /** Jobs that never ended. */
    open,
    lost: events - handled,
    doubled: effects - handled,
    faults: planned - faults.length,
    "accepted in s": acceptedIn / 1_000,
    "done in s": doneIn / 1_000,
  };
}

/** The faults of a run, in any order. */
function plan({ kills, stops, restarts = 0 }: DeliveryRun): ("kill" | "stop" | "restart")[] {
  return shuffle([
    ...Array.from({ length: kills }, () => "kill" as const),
    ...Array.from({ length: stops }, () => "stop" as const),
    ...Array.from({ length: restarts }, () => "restart" as const),
  ]);
}

const LONGEST_STANDSTILL = 90_000;

/** Waits until no job is open, as long as their number changes. */
async function waitForJobs(count: () => Promise<{ jobs: number; open: number }>) {
  let last = await count();
  let changedAt = performance.now();
  while (last.open > 0 && performance.now() - changedAt < LONGEST_STANDSTILL) {
    await sleep(RETRY_AFTER);
    const now = await count();
    if (now.open !== last.open) changedAt = performance.now();
    last = now;
  }
  return last;
}
