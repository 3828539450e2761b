// Imports 100,000 devices with four workers that are killed and stopped, on Redis and on PostgreSQL: npm run bench -- workers
// With other numbers of devices and disturbances: npm run bench -- workers 10000 4
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import pg from "pg";
import { faultsOf } from "./bulk/run-fleet.ts";
import { startPostgres } from "../tools/servers.ts";
import { finish, limit, note, table } from "./support/report.ts";
import { startDurableRedis } from "./workers/durable-redis.ts";
import { runImport } from "./workers/run-import.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const DISTURBANCES = Number(process.argv[3] ?? 20);
const WORKERS = 4;
const UNLIMITED = 1_000_000;
const LEASE = 5_000;
const TIMEOUT = 1_000;
const SETTLE_TIME = 2_000;

let databases = 0;

const redis = await startDurableRedis();
const postgres = await startPostgres();
const engines = [
  { name: "BullMQ", url: redis?.url, restart: redis && (() => redis.restart()) },
  { name: "pg-boss", url: postgres.url, restart: undefined },
];
for (const { name, url, restart } of engines) {
  if (url === undefined) {
    note(`${name} is skipped: its server is not installed.`);
    continue;
  }
  await measureDisturbed(name, await openDatabase(url), restart);
  await measureLimit(name, await openDatabase(url));
  await measureSpeed(name, url);
}
finish();
await redis?.stop();
if (postgres.url !== undefined) await postgres.stop();

/** An empty database for each measurement, because workers run any job that they find. */
async function openDatabase(server: string): Promise<string> {
  databases++;
  const url = new URL(server);
  if (url.protocol === "redis:") {
    url.pathname = `${databases}`;
    return url.href;
  }
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE workers${databases}`);
  await client.end();
  url.pathname = `workers${databases}`;
  return url.href;
}

function startConsole(seed: number, isFaulty: boolean): Promise<RunningSandbox> {
  return startSandbox({
    seed,
    ...(isFaulty && { faults: faultsOf({ seed }) }),
    console: { data: "empty", duplicates: "allowed", requestsPerMinute: UNLIMITED },
  });
}

async function measureDisturbed(
  name: string,
  queueUrl: string,
  restart: (() => Promise<void>) | undefined,
): Promise<void> {
  note(
    `${name}: ${COUNT} devices in jobs of 500, ${WORKERS} workers, ${DISTURBANCES} times SIGKILL, ${DISTURBANCES} times SIGSTOP for 10 s, a lease of 5 s, a timeout of 1 s, every tenth request fails, duplicates allowed${restart === undefined ? "" : ", Redis is killed once"}.`,
  );
  await using sandbox = await startConsole(1, true);
  const task = {
    lease: LEASE,
    timeout: TIMEOUT,
    settleTime: SETTLE_TIME,
    chunkSize: 100,
    concurrency: 1,
    latency: 400,
  };
  const seed = 1;
  const run = { sandbox, queueUrl, count: COUNT, seed, size: 500, workers: WORKERS, task };
  const { report, ...outcome } = await runImport({
    ...run,
    kills: DISTURBANCES,
    stops: DISTURBANCES,
    onHalf: restart,
  });
  const { created, failed, unknown, missing } = report;
  table([{ created, failed, unknown, ...outcome }]);
  limit(`${name}: jobs without a report`, missing.length, { most: 0 });
  limit(`${name}: devices lost`, outcome.lost, { most: 0 });
  // A request that was late carries at most one chunk.
  const explained = outcome.late * task.chunkSize;
  limit(`${name}: devices doubled`, outcome.doubled, { most: explained });
  limit(`${name}: kills`, outcome.kills, { least: DISTURBANCES });
  limit(`${name}: stops`, outcome.stops, { least: DISTURBANCES });
}

/** Two windows of a shared limit, each a second longer than a minute. */
async function measureLimit(name: string, queueUrl: string): Promise<void> {
  const REQUESTS = 600;
  const WINDOWS = 2;
  const endsAfter = WINDOWS * 61_000;
  await using sandbox = await startConsole(2, false);
  const task = {
    lease: 30_000,
    timeout: 120_000,
    settleTime: 5_000,
    chunkSize: 5,
    concurrency: 4,
    latency: 0,
    limit: REQUESTS,
  };
  const count = REQUESTS * WINDOWS * task.chunkSize * 2;
  const run = { sandbox, queueUrl, count, seed: 2, size: 500, workers: WORKERS, task };
  const { seconds } = await runImport({ ...run, endsAfter });
  const sent = sandbox.log.count;
  const allowed = (REQUESTS * seconds) / 60;
  note(
    `${name}: ${sent} requests in ${seconds.toFixed(0)} s, with a limit of ${REQUESTS} a minute.`,
  );
  limit(`${name}: used part of the limit`, sent / allowed, { least: 0.95 });
}

async function measureSpeed(name: string, server: string): Promise<void> {
  const rows: { service: string; workers: number; seconds: number }[] = [];
  let seed = 10;
  for (const [service, latency] of [
    ["500 ms", 500],
    ["fast", 0],
  ] as const)
    for (const workers of [1, WORKERS]) {
      seed++;
      await using sandbox = await startConsole(seed, false);
      const task = {
        lease: 30_000,
        timeout: 120_000,
        settleTime: 5_000,
        chunkSize: 250,
        concurrency: 4,
        latency,
      };
      const queueUrl = await openDatabase(server);
      const run = { sandbox, queueUrl, count: COUNT, seed, size: 1_000, workers, task };
      const { seconds, report } = await runImport(run);
      limit(`${name}, ${service}, ${workers}: created`, report.created, { least: COUNT });
      rows.push({ service, workers, seconds });
    }
  note(`${name}: ${COUNT} devices, without faults.`);
  table(rows);
  const [one, four] = rows;
  const ratio = (four?.seconds ?? 0) / (one?.seconds ?? 1);
  limit(`${name}: 4 workers over one, 500 ms for a request`, ratio, { most: 0.35 });
}
