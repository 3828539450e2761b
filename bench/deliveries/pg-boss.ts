import type { DeliveryJob } from "@fieldmesh/webhook-types/queue";
import type pg from "pg";
import { PgBoss } from "pg-boss";
import { ATTEMPTS, type Engine, type EngineOptions } from "./engine.ts";
import type { Step } from "./task.ts";

const HEARTBEAT_FROM = 10_000;

export async function openPgBoss(
  { queue: name, postgresUrl, lease, concurrency }: EngineOptions,
  pool: pg.Pool,
  reach: (step: Step) => void = () => {},
): Promise<Engine> {
  const intervals = { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 };
  const boss = new PgBoss({ connectionString: postgresUrl, max: 10, ...intervals });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue(name, {
    retryLimit: ATTEMPTS,
    retryDelay: 1,
    // pg-boss accepts a heartbeat of 10 s or more; a shorter lease ends a job that takes longer.
    ...(lease >= HEARTBEAT_FROM
      ? { heartbeatSeconds: lease / 1_000 }
      : { expireInSeconds: lease / 1_000 }),
  });
  return {
    queue: {
      add: async (job) => {
        reach("before it is stored");
        const { id } = job;
        const client = await pool.connect();
        const db = {
          executeSql: (text: string, values?: unknown[]) => client.query(text, values),
        };
        let isStored = false;
        try {
          await client.query("BEGIN");
          if ((await boss.send(name, job, { id, db })) === null) {
            await boss.retry(name, id, { db });
            await boss.update(name, job, { id, db });
          }
          reach("while it is stored");
          await client.query("COMMIT");
          isStored = true;
        } finally {
          client.release(!isStored);
        }
      },
    },
    startWorker: (work) =>
      boss.work<DeliveryJob>(
        name,
        { localConcurrency: concurrency, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
        async ([job]) => work(job!.data),
      ),
    count: async () => {
      const sql = `SELECT count(*)::int AS jobs, count(*) FILTER (WHERE state <> 'completed')::int AS open FROM pgboss.job WHERE name = $1`;
      return (await pool.query<{ jobs: number; open: number }>(sql, [name])).rows[0]!;
    },
    close: () => boss.stop({ graceful: false }),
  };
}
