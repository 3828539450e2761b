// What the programs need of a queue, and of the server that it runs on.
import type { DeviceJob, JobReport, LeaseStore } from "@fieldmesh/console-client";
import type { SharedRateLimit } from "@fieldmesh/rate-limit";

/** A row that was not created, by its place in the job. It contains no key. */
export interface Problem {
  readonly index: number;
  readonly error: string;
}

/** What a worker returns for a job. The queue keeps it as the result of the job. */
export interface WorkerReport extends JobReport {
  readonly problems: readonly Problem[];
}

/** Works on a job. */
export type Handle = (job: DeviceJob) => Promise<WorkerReport>;

/** How the jobs of an import are. */
export interface JobStates {
  readonly reports: readonly WorkerReport[];
  /** The jobs that the queue has given up, and why. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  /** The number of jobs that a worker has at the moment. */
  readonly active: number;
}

/** A queue, with what belongs to it on the same server. */
export interface Engine {
  /** Only one worker at a time sends the devices of a job. */
  readonly leases: LeaseStore;
  /** All workers together stay below the limit of the console. */
  readonly sharedLimit: SharedRateLimit;
  /** Puts a job into the queue, unless it is there. A job that was given up starts again. */
  add(job: DeviceJob): Promise<void>;
  /** Works on jobs, one after the other, until the signal is aborted. */
  work(handle: Handle, signal: AbortSignal): Promise<void>;
  look(ids: readonly string[]): Promise<JobStates>;
  /** Takes jobs and their reports out of the queue, except those that a worker has. */
  remove(ids: readonly string[]): Promise<void>;
  /** Runs something at the times of a cron expression, in one of the processes that call this, until the signal is aborted. */
  schedule(cron: string, run: () => Promise<void>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Another attempt would fail too, so the job fails for good. */
export class FinalError extends Error {}
