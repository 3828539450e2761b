// Jobs in BullMQ, on Redis.
import { once } from "node:events";
import { LeaseLostError, type DeviceJob } from "@fieldmesh/console-client";
import { redisRateLimit } from "@fieldmesh/rate-limit";
import { redisStore } from "@fieldmesh/webhook-types/stores";
import { DelayedError, Queue, UnrecoverableError, Worker, type JobsOptions } from "bullmq";
import { Redis } from "ioredis";
import { FinalError, type Engine, type JobStates, type WorkerReport } from "./engine.ts";

const NAME = "device-import";
const DAY_S = 86_400;
const ATTEMPTS = 20;

/** Connects to Redis. */
export async function open(url: string, lease: number): Promise<Engine> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: true });
  let lastError: Error | undefined;
  redis.on("error", (error) => (lastError = error));
  await redis.connect().catch((error: unknown) => {
    redis.disconnect();
    throw lastError ?? error;
  });

  const jobOptions: JobsOptions = {
    attempts: ATTEMPTS,
    backoff: { type: "fixed", delay: lease },
    // The result of a job is its report, so that it must outlive the import.
    removeOnComplete: { age: DAY_S },
    removeOnFail: { age: 7 * DAY_S },
  };
  const connection = redis;
  const queue = new Queue<DeviceJob, WorkerReport>(NAME, { connection });
  // A worker that is dead for BullMQ has lost its lease too.
  const times = {
    lockDuration: lease,
    stalledInterval: lease / 2,
    maxStalledCount: ATTEMPTS,
    // A worker that is idle asks again each second, so that it can be stopped within one.
    drainDelay: 1,
  };

  return {
    leases: redisStore(redis, { prefix: "device-import:lease:" }),
    sharedLimit: redisRateLimit(redis),
    async add(job) {
      const state = await queue.getJobState(job.id);
      if (state === "unknown") await queue.add("import", job, { ...jobOptions, jobId: job.id });
      if (state === "failed")
        await (await queue.getJob(job.id))?.retry("failed", { resetAttemptsMade: true });
      if (state === "delayed") await (await queue.getJob(job.id))?.promote();
    },
    async work(handle, signal) {
      const worker = new Worker<DeviceJob, WorkerReport>(
        NAME,
        async (job, token) => {
          try {
            return await handle(job.data);
          } catch (error) {
            if (error instanceof FinalError) throw new UnrecoverableError(error.message);
            if (!(error instanceof LeaseLostError) || error.heldUntil === undefined) throw error;
            await job.moveToDelayed(error.heldUntil.getTime(), token);
            throw new DelayedError();
          }
        },
        { connection, ...times },
      );
      worker.on("error", ({ message }) => console.error(message));
      if (!signal.aborted) await once(signal, "abort");
      await worker.close();
    },
    async look(ids) {
      const states = await Promise.all(ids.map(async (id) => await lookAt(queue, id)));
      return {
        reports: states.flatMap(({ reports }) => reports),
        failed: states.flatMap(({ failed }) => failed),
        active: states.reduce((sum, { active }) => sum + active, 0),
      };
    },
    async remove(ids) {
      // It leaves a job that a worker has.
      for (const id of ids) await queue.remove(id);
    },
    async schedule(cron, run, signal) {
      const nights = new Queue("nightly-reconciliation", { connection });
      await nights.upsertJobScheduler("night", { pattern: cron });
      const worker = new Worker(nights.name, run, { connection, ...times });
      worker.on("error", ({ message }) => console.error(message));
      worker.on("failed", (_, { message }) => console.error(message));
      if (!signal.aborted) await once(signal, "abort");
      await Promise.all([worker.close(), nights.close()]);
    },
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
}

/** A job that is done or was given up is read as a whole. Of any other, its devices would be read each second. */
async function lookAt(queue: Queue<DeviceJob, WorkerReport>, id: string): Promise<JobStates> {
  const state = await queue.getJobState(id);
  const ended = state === "completed" || state === "failed" ? await queue.getJob(id) : undefined;
  return {
    reports: state === "completed" && ended !== undefined ? [ended.returnvalue] : [],
    failed: state === "failed" && ended !== undefined ? [{ id, reason: ended.failedReason }] : [],
    active: state === "active" ? 1 : 0,
  };
}
