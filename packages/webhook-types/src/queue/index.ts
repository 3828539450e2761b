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
  DeliveryJobError,
} from "./create-queue-worker.ts";
export type { DeliveryJob, JobOptions } from "./delivery-job.ts";
export type { EncryptionKey } from "../stores/store-options.ts";
export type { EnqueueMessage } from "@fieldmesh/core";
