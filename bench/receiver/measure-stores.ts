// Measures receivers with stores in PostgreSQL beside what a bare transaction for each delivery costs.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  postgresOrderTable,
  postgresPoisonTable,
  postgresTables,
} from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { median, playTurns, takeTurns } from "../support/measure.ts";
import { startCountingProxy } from "../../tools/testing/counting-proxy.ts";
import { cases, FLOOR_TABLE, newDeliveries, type Delivery, type Handle } from "./store-cases.ts";

const ROUNDS = 5;
const DELIVERIES = 2_000;
const WARM_UP = 300;
/** Without waits for a database, so few leave the code half compiled, and runs differed by the factor of two. */
const WARM_UP_ALONE = 6_000;
const IN_PROGRESS = 32;

type CreateHandle = (pool: pg.Pool) => Handle;

/** What a delivery costs. CPU times are in µs. */
interface Cost {
  /** Those of one delivery alone. */
  readonly roundTrips: number;
  readonly perSecond: number;
  readonly processCpu: number;
  readonly databaseCpu: number;
  readonly commits: number;
  readonly walSyncs: number;
}

/** Returns what a delivery costs in each case: the medians of some rounds. */
export async function measureStores(url: string): Promise<Record<keyof typeof cases, Cost>> {
  await usePool(url, async (pool) => {
    await pool.query(postgresTables() + postgresOrderTable() + postgresPoisonTable());
    await pool.query(`CREATE TABLE IF NOT EXISTS ${FLOOR_TABLE} (id text PRIMARY KEY)`);
  });
  const rounds = await playTurns(cases, ROUNDS, (create) => measureCost(url, create));
  const costs = Object.entries(rounds).map(([name, all]) => [name, mediansOf(all)]);
  return Object.fromEntries(costs) as Record<keyof typeof cases, Cost>;
}

/** Returns the CPU time in µs that each of some functions needs for a new delivery. */
export async function measureWithoutSockets<Name extends string>(
  handles: Readonly<Record<Name, Handle>>,
): Promise<Record<Name, number>> {
  return await takeTurns<Name, Handle>(handles, ROUNDS, async (handle) => {
    await handleAll(await newDeliveries(WARM_UP_ALONE), handle);
    const deliveries = await newDeliveries(DELIVERIES);
    const before = process.cpuUsage();
    await handleAll(deliveries, handle);
    return cpuSince(before) / DELIVERIES;
  });
}

async function measureCost(url: string, create: CreateHandle): Promise<Cost> {
  return await usePool(url, async (admin) => {
    const roundTrips = await countRoundTrips(url, create);
    const deliveries = await newDeliveries(WARM_UP + DELIVERIES);
    const countersBefore = await readCounters(admin);
    const times = await usePool(url, async (pool) => {
      const handle = create(pool);
      await handleAll(deliveries.slice(0, WARM_UP), handle);
      const processes = await processesOf(admin);
      const databaseBefore = cpuOf(processes);
      const before = process.cpuUsage();
      const startedAt = performance.now();
      await handleAll(deliveries.slice(WARM_UP), handle);
      const seconds = (performance.now() - startedAt) / 1_000;
      return {
        perSecond: DELIVERIES / seconds,
        processCpu: cpuSince(before) / DELIVERIES,
        databaseCpu: (cpuOf(processes) - databaseBefore) / DELIVERIES,
      };
    });
    const counters = await readCounters(admin);
    return {
      ...times,
      roundTrips,
      commits: (counters.commits - countersBefore.commits) / deliveries.length,
      walSyncs: (counters.walSyncs - countersBefore.walSyncs) / deliveries.length,
    };
  });
}

async function countRoundTrips(url: string, create: CreateHandle): Promise<number> {
  const proxy = await startCountingProxy(url);
  const count = await usePool(proxy.url, async (pool) => {
    const handle = create(pool);
    const [first, second] = await newDeliveries(2);
    await handle(first!);
    proxy.count();
    await handle(second!);
    return proxy.count();
  });
  proxy.close();
  return count;
}

async function handleAll(deliveries: readonly Delivery[], handle: Handle): Promise<void> {
  const rest = deliveries.values();
  const work = async (): Promise<void> => {
    for (const delivery of rest) await handle(delivery);
  };
  await Promise.all(Array.from({ length: IN_PROGRESS }, work));
}

function mediansOf(costs: readonly Cost[]): Cost {
  const of = (figure: keyof Cost): number => median(costs.map((cost) => cost[figure]));
  return {
    roundTrips: of("roundTrips"),
    perSecond: of("perSecond"),
    processCpu: of("processCpu"),
    databaseCpu: of("databaseCpu"),
    commits: of("commits"),
    walSyncs: of("walSyncs"),
  };
}

async function usePool<T>(url: string, use: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({
    connectionString: url,
    max: IN_PROGRESS,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 0,
    application_name: NAME,
  });
  pool.on("error", console.error);
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

const NAME = "fieldmesh-bench";
const LOOK = 10;

/** A connection adds what it has counted when it ends, so this waits until all others have ended. */
async function readCounters(admin: pg.Pool): Promise<Pick<Cost, "commits" | "walSyncs">> {
  const others =
    "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()";
  while ((await admin.query(others, [NAME])).rows.length > 0) await sleep(LOOK);
  const { rows } = await admin.query<Record<"commits" | "syncs", string>>(
    "SELECT xact_commit AS commits, wal_sync AS syncs FROM pg_stat_database, pg_stat_wal WHERE datname = current_database()",
  );
  return { commits: Number(rows[0]?.commits), walSyncs: Number(rows[0]?.syncs) };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The processes of the connections and those that write. Others, such as the workers of autovacuum, may end at any time. */
async function processesOf(admin: pg.Pool): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type IN ('client backend', 'walwriter', 'checkpointer', 'background writer')",
  );
  return rows.map(({ pid }) => pid);
}

const NANOSECONDS_PER_MICROSECOND = 1_000;

/** Returns the CPU time of processes in µs. It is the first field, in ns: "sched-stats" of the kernel's documentation. */
function cpuOf(processes: readonly number[]): number {
  const times = processes.map((pid) =>
    Number.parseInt(readFileSync(`/proc/${pid}/schedstat`, "utf8"), 10),
  );
  return times.reduce((sum, time) => sum + time, 0) / NANOSECONDS_PER_MICROSECOND;
}
