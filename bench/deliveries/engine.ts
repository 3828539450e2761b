import type { DeliveryJob, DeliveryQueue, QueueWorker } from "@fieldmesh/webhook-types/queue";
import type { DeliveryTask } from "./task.ts";

type Work = (job: DeliveryJob) => ReturnType<QueueWorker>;

/** A queue of the guide, with short times, so that a job soon leaves a process that was killed. */
export interface Engine {
  readonly queue: DeliveryQueue;
  readonly startWorker: (work: Work) => Promise<unknown>;
  /** The number of jobs that were ever made, and of those that are not completed. */
  readonly count: () => Promise<{ readonly jobs: number; readonly open: number }>;
  readonly close: () => Promise<unknown>;
}

export type EngineOptions = Pick<
  DeliveryTask,
  "queue" | "redisUrl" | "postgresUrl" | "lease" | "concurrency"
>;

/** A job that meets a failure or another process is tried again until it is done. */
export const ATTEMPTS = 10_000;
