// Delivers 50,000 events twice through BullMQ and pg-boss, with kills and stops: npm run bench -- deliveries [events] [kills] [stops]
import { randomUUID } from "node:crypto";
import pg from "pg";
import { startPostgres } from "../tools/servers.ts";
import { startDurableRedis } from "./deliveries/durable-redis.ts";
import { deliver } from "./deliveries/processes.ts";
import { bodyOf, createTables, runDeliveries } from "./deliveries/run-deliveries.ts";
import type { DeliveryTask } from "./deliveries/task.ts";
import { nextMessage, startChild } from "./support/child.ts";
import { finish, limit, note, table } from "./support/report.ts";

const [events = 50_000, kills = 20, stops = 20, accepted = 5_000] = process.argv
  .slice(2)
  .map(Number);
const PROCESSES = 4;
const STOP_FOR = 10_000;
/** The least heartbeat of pg-boss, and a short lock of BullMQ. A stop is longer. */
const LEASES = { bullmq: 5_000, "pg-boss": 10_000 };
const RESTARTS = 2;
const IN_PROGRESS = 32;
const WARM_UP = 200;

const [postgres, redis] = await Promise.all([
  startPostgres({ isDurable: true }),
  startDurableRedis(),
]);
if (postgres.url === undefined || redis === undefined) {
  console.log(
    `skipped: ${postgres.url === undefined ? postgres.missing : "redis-server is not on PATH"}`,
  );
} else {
  const urls = { postgresUrl: postgres.url, redisUrl: redis.url };
  note(
    `${events} events, 2 deliveries each, ${PROCESSES} processes that receive and work, ${kills} SIGKILLs, ${stops} SIGSTOPs of ${STOP_FOR / 1_000} s, and ${RESTARTS} restarts of Redis by SIGKILL. Redis and PostgreSQL write to disk before they respond. Handlers write one row in the transaction of postgresInbox, and 2 % fail after it.`,
  );
  const rows = [];
  for (const engine of ["pg-boss", "bullmq"] as const) {
    const counts = await runDeliveries({
      ...urls,
      engine,
      events,
      processes: PROCESSES,
      kills,
      stops,
      stopFor: STOP_FOR,
      lease: LEASES[engine],
      ...(engine === "bullmq" && { restart: () => redis.restart(), restarts: RESTARTS }),
    });
    rows.push({ queue: engine, ...counts });
    limit(`${engine}: lost events`, counts.lost, { most: 0 });
    limit(`${engine}: rows written twice`, counts.doubled, { most: 0 });
    limit(`${engine}: jobs that never ended`, counts.open, { most: 0 });
    limit(`${engine}: second jobs`, counts.jobs - events, { most: 0 });
    limit(`${engine}: kills, stops and restarts`, counts.faults, { least: kills + stops });
  }
  table(rows);
  note(
    `Deliveries that one process accepts per second, of ${accepted}, 32 at a time. Without a queue, this includes the handler and its transaction.`,
  );
  const speeds = [];
  for (const engine of ["none", "pg-boss", "bullmq"] as const)
    speeds.push({
      queue: engine,
      "per second": Math.round(await measureAccepting({ ...urls, engine }, accepted)),
    });
  table(speeds);
  finish();
}
await redis?.stop();
if (postgres.url !== undefined) await postgres.stop();

/** Counts what a process accepts that only receives: nothing handles the jobs. */
async function measureAccepting(
  task: Pick<DeliveryTask, "engine" | "postgresUrl" | "redisUrl">,
  deliveries: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: task.postgresUrl, max: 1 });
  await createTables(pool);
  await pool.end();
  const secret = "whsec_canary_of_the_bench";
  const child = startChild("deliveries/child.ts", {
    ...task,
    queue: `accept-${randomUUID()}`,
    secret,
    lease: 10_000,
    concurrency: 0,
    failureRate: 0,
  } satisfies DeliveryTask);
  const url = `http://127.0.0.1:${await nextMessage<number>(child)}/`;
  const send = async (count: number): Promise<void> => {
    let left = count;
    const sender = async (): Promise<void> => {
      while (left-- > 0)
        if (!(await deliver(url, bodyOf(`evt_${randomUUID()}`), secret)))
          throw new Error("a delivery was not accepted");
    };
    await Promise.all(Array.from({ length: IN_PROGRESS }, sender));
  };
  await send(WARM_UP);
  const startedAt = performance.now();
  await send(deliveries);
  const seconds = (performance.now() - startedAt) / 1_000;
  child.kill();
  return deliveries / seconds;
}
