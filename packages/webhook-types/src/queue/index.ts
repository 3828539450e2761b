export {
  createQueueReceiver,
  type DeliveryQueue,
  type QueueReceiver,
  type QueueReceiverOptions,
} from "./create-queue-receiver.ts";
export {
  createQueueWorker,
  type JobResult,
  type QueueWorker,
  type QueueWorkerOptions,
} from "./create-queue-worker.ts";
export { DeliveryJobError } from "./delivery-job-error.ts";
export type { DeliveryJob, JobOptions } from "./delivery-job.ts";
export type { EncryptionKey } from "../stores/payloads.ts";
export type { EnqueueMessage } from "@fieldmesh/core";
