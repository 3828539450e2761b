/** The steps of a delivery at which a process can be killed. */
export const RECEIVER_STEPS = [
  "before it is stored",
  "while it is stored",
  "before the response",
] as const;
export const WORKER_STEPS = [
  "before the mark",
  "in the handler",
  "before the commit",
  "before the job is completed",
] as const;
export type Step = (typeof RECEIVER_STEPS)[number] | (typeof WORKER_STEPS)[number];

export type EngineName = "bullmq" | "pg-boss";

/** The task of a child process. */
export interface DeliveryTask {
  /** `none` is a receiver without a queue. */
  readonly engine: EngineName | "none";
  /** The name of the queue. */
  readonly queue: string;
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly secret: string;
  /** How long a job stays with a process that was killed, in milliseconds. */
  readonly lease: number;
  /** The most jobs of a process at the same time. 0 for a process that only receives. */
  readonly concurrency: number;
  /** The share of events whose handler fails after its write. */
  readonly failureRate: number;
  /** The process kills itself at this step. */
  readonly dieAt?: Step;
}

/** The table that handlers write to, without a key, so that a second effect is a second row. */
export const EFFECTS = "bench_delivery_effects";
