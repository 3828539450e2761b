// Jobs in pg-boss, on PostgreSQL.
import { once } from "node:events";
import type { DeviceJob } from "@fieldmesh/console-client";
import { postgresRateLimit } from "@fieldmesh/rate-limit";
import { postgresStore, postgresTables } from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import { PgBoss, type QueueOptions } from "pg-boss";
import { FinalError, type Engine, type WorkerReport } from "./engine.ts";

const NAME = "device-import";
const LEASES = "device_import_leases";
const DAY_S = 86_400;
const SECOND = 1_000;
/** The shortest that pg-boss accepts. */
const LEAST_HEARTBEAT_S = 10;
const POLLING_S = 0.5;

/** Connects to PostgreSQL. The first process creates the tables. */
export async function open(url: string, lease: number): Promise<Engine> {
  const heartbeatSeconds = Math.max(LEAST_HEARTBEAT_S, Math.ceil(lease / SECOND));
  const boss = new PgBoss({
    connectionString: url,
    // How often pg-boss looks for workers that are dead.
    monitorIntervalSeconds: Math.ceil(heartbeatSeconds / 2),
    superviseIntervalSeconds: Math.ceil(heartbeatSeconds / 2),
  });
  boss.on("error", ({ message }) => console.error(message));
  await boss.start();
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5_000 });
  pool.on("error", ({ message }) => console.error(message));
  await pool.query(postgresTables(LEASES));
  const options: QueueOptions = {
    // A worker that is dead for pg-boss has lost its lease too.
    heartbeatSeconds,
    retryLimit: 20,
    retryDelay: Math.ceil(lease / SECOND),
    // A job that takes longer is given to a second worker, which the lease stops.
    expireInSeconds: DAY_S,
    // The result of a job is its report, so that it must outlive the import.
    deleteAfterSeconds: DAY_S,
  };
  // For a queue that exists, createQueue ignores its options.
  await boss.createQueue(NAME, options);
  await boss.updateQueue(NAME, options);

  /** Reads the states of jobs. `findJobs` would read the devices too. */
  async function find(ids: readonly string[]): Promise<Row[]> {
    const text =
      "SELECT id, state, output FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[])";
    return (await pool.query<Row>(text, [NAME, ids])).rows;
  }

  return {
    leases: postgresStore(pool, { table: LEASES }),
    sharedLimit: postgresRateLimit(pool),
    async add(job) {
      // Returns null if the queue has a job with this id, in any state. It starts again if it has failed.
      if ((await boss.send(NAME, job, { id: job.id })) === null) await boss.retry(NAME, job.id);
    },
    async work(handle, signal) {
      await boss.work<DeviceJob, unknown, WorkOptions>(
        NAME,
        { perJobResults: true, pollingIntervalSeconds: POLLING_S },
        async ([job]) => {
          const { id, data } = job!;
          try {
            return [{ id, status: "completed", output: await handle(data) }];
          } catch (error) {
            const { message } = error as Error;
            // A dead letter is not tried again.
            const status = error instanceof FinalError ? "deadletter" : "failed";
            return [{ id, status, output: { message } }];
          }
        },
      );
      if (!signal.aborted) await once(signal, "abort");
      await boss.offWork(NAME);
    },
    async look(ids) {
      const rows = await find(ids);
      const withState = (state: string): Row[] => rows.filter((row) => row.state === state);
      return {
        reports: withState("completed").map(({ output }) => output as WorkerReport),
        failed: withState("failed").map(({ id, output }) => ({
          id,
          reason: (output as { readonly message?: string } | null)?.message ?? "no reason",
        })),
        active: withState("active").length,
      };
    },
    async remove(ids) {
      const rows = await find(ids);
      const idle = rows.filter(({ state }) => state !== "active").map(({ id }) => id);
      if (idle.length > 0) await boss.deleteJob(NAME, idle);
    },
    async schedule(cron, run, signal) {
      const nights = "nightly-reconciliation";
      await boss.createQueue(nights);
      await boss.schedule(nights, cron);
      await boss.work(nights, async () => {
        await run().catch(({ message }: Error) => console.error(message));
      });
      if (!signal.aborted) await once(signal, "abort");
      await boss.offWork(nights);
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

interface WorkOptions {
  readonly perJobResults: true;
  readonly pollingIntervalSeconds: number;
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly output: unknown;
}
