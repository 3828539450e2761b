import type { DeliveryJob } from "@fieldmesh/webhook-types/queue";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { ATTEMPTS, type Engine, type EngineOptions } from "./engine.ts";
import type { Step } from "./task.ts";

const RETRY_IN = 300;

export async function openBullmq(
  { queue: name, redisUrl, lease, concurrency }: EngineOptions,
  reach: (step: Step) => void = () => {},
): Promise<Engine> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  redis.on("error", () => {});
  const backoff = { type: "fixed", delay: RETRY_IN };
  const defaultJobOptions = { attempts: ATTEMPTS, backoff, stackTraceLimit: 1 };
  const queue = new Queue<DeliveryJob>(name, { connection: redis, defaultJobOptions });
  queue.on("error", () => {});
  let worker: Worker | undefined;
  return {
    queue: {
      add: async (job) => {
        reach("before it is stored");
        const known = await queue.getJob(job.id);
        reach("while it is stored");
        if (known === undefined || !(await known.isFailed()))
          return queue.add("delivery", job, { jobId: job.id });
        await known.updateData(job);
        return known.retry("failed", { resetAttemptsMade: true });
      },
      redis,
    },
    startWorker: async (work) => {
      worker = new Worker<DeliveryJob>(name, (job) => work(job.data), {
        connection: { url: redisUrl, maxRetriesPerRequest: null },
        concurrency,
        lockDuration: lease,
        stalledInterval: lease,
        maxStalledCount: ATTEMPTS,
      });
      worker.on("error", () => {});
    },
    count: async () => {
      const counts = await queue.getJobCounts();
      const jobs = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return { jobs, open: jobs - (counts["completed"] ?? 0) };
    },
    close: async () => {
      await worker?.close(true);
      await queue.close();
      redis.disconnect();
    },
  };
}
