// Why it is so: docs/decisions/10-respond-after-the-handlers.md
import {
  aFunction,
  describeValue,
  enqueueChannel,
  hasMethod,
  mistake,
  notify,
  options,
  readInput,
  requires,
  systemClock,
  trace,
  within,
} from "@fieldmesh/core/internal";
import { openRedis, type RedisClient } from "@fieldmesh/core/internal/database";
import type { RawReceiver } from "../adapters/raw-message.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import { showName } from "../events/show-name.ts";
import { parseEvent } from "../parse/parse-event.ts";
import { aboutDeliveries, aboutReports } from "../receiver/check-options.ts";
import { createResponder } from "../receiver/create-responder.ts";
import { deliveryOf, readEvent, type VerifiedDelivery } from "../receiver/read-delivery.ts";
import type { ReceiverOptions } from "../receiver/receiver-options.ts";
import { keyOf } from "../receiver/tenant-key.ts";
import { weaknessOf } from "./check-redis.ts";
import { aboutJobs, jobMaker, type DeliveryJob, type JobOptions } from "./delivery-job.ts";

/** Your queue: a few lines around BullMQ, pg-boss, or another queue that writes to disk. */
export interface DeliveryQueue {
  /**
   * Stores a job under `job.id`, and resolves when it is stored for good: the sender then receives a 2xx. A job that the queue
   * has already must change nothing, except that one that has failed for good is tried again.
   */
  add(job: DeliveryJob): PromiseLike<unknown>;
  /**
   * The connected client of `ioredis` or `redis`, if the queue is in Redis. At the first delivery, the settings of this Redis are
   * read, and `logger` or `console.warn` receives one line if it could lose a job.
   */
  redis?: RedisClient | undefined;
}

/** Options of {@link createQueueReceiver}: those of a receiver about deliveries, the queue, and the keys. */
export interface QueueReceiverOptions
  extends
    JobOptions,
    Omit<
      ReceiverOptions,
      "store" | "order" | "lease" | "poison" | "handlers" | "parse" | "validation" | "onDrift"
    > {
  /** Where verified deliveries are stored. */
  readonly queue: DeliveryQueue;
}

/** Responds to deliveries, like a receiver of `createReceiver`. */
export interface QueueReceiver extends RawReceiver {
  (request: Request): Promise<Response>;
}

/**
 * Creates a receiver that stores verified deliveries in your queue, and responds with 2xx only when they are stored. Handlers run
 * in the workers of the queue: see `createQueueWorker`.
 *
 * A job holds the raw body, the time of its signature, the tenant, when it was stored, and the context of the trace, encrypted as a whole. Its id is
 * made of the id of the event, so that a second delivery costs no second job. The receiver waits ten seconds for the queue at
 * most. If the queue fails, the response is 503, and the sender retries. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * const receive = createQueueReceiver({
 *   secret: process.env.WEBHOOK_SECRET!,
 *   keys: [key],
 *   queue: { add: (job) => queue.add("delivery", job, { jobId: job.id }) },
 * });
 * ```
 */
export function createQueueReceiver(given: QueueReceiverOptions): QueueReceiver {
  return readInput("The argument of createQueueReceiver", () => makeReceiver(given));
}

function makeReceiver(given: QueueReceiverOptions): QueueReceiver {
  const own = readOptions(given);
  const { queue, logger, expectLivemode, clock = systemClock } = own;
  const makeJob = jobMaker(own);
  let isChecked = false;

  /** Nothing waits for it. */
  const checkRedis = async (): Promise<void> => {
    if (isChecked || queue.redis === undefined) return;
    isChecked = true;
    const weakness = await weaknessOf(queue.redis);
    if (weakness === undefined) return;
    notify("logger", logger ?? console, (target) => target.warn(weakness));
  };

  const store = (event: EventEnvelope, { verified, tenant }: VerifiedDelivery): Promise<unknown> =>
    trace(
      enqueueChannel,
      async (message) => {
        const { body } = verified;
        const job = await makeJob(keyOf(tenant, event.id), {
          body: typeof body === "string" ? body : readUtf8(body),
          delivery: deliveryOf(verified),
          tenant,
          storedAt: clock.now(),
          carrier: { ...message?.carrier },
        });
        await within(LONGEST_QUEUE_WAIT, () => add(queue, job), QUEUE_HANGS);
      },
      {
        start: () => ({
          event: { id: showName(event.id), type: showName(event.type) },
          carrier: {},
        }),
      },
    );

  return createResponder(own, async (delivery) => {
    // The worker checks the rest, with its own parser.
    const parse = () => parseEvent(delivery.verified.body, { validation: "off" });
    const found = readEvent(parse, expectLivemode);
    if (!("parsed" in found)) return found;
    const { id, type } = found.parsed;
    void checkRedis();
    try {
      await store(found.parsed, delivery);
      return { outcome: "stored", event: { id, type } };
    } catch (error) {
      return { outcome: "queue_failed", event: { id, type }, error };
    }
  });
}

/** As long as a receiver waits for a store. Senders wait longer. */
const LONGEST_QUEUE_WAIT = 10_000;
const QUEUE_HANGS =
  "add of the queue did not settle within 10 s. Check that the queue is reachable. The sender retries; a job that is stored later is not stored twice.";

/** Reads bytes that the parser has found to be UTF-8. A byte order mark is a part of the raw body. */
const readUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** A function that forgets to return its promise would be acknowledged before anything is stored. */
function add(queue: DeliveryQueue, job: DeliveryJob): PromiseLike<unknown> {
  const adding: unknown = queue.add(job);
  if (hasMethod(adding, "then")) return adding as PromiseLike<unknown>;
  throw mistake(
    `add of the queue returned ${describeValue(adding)}. It must return a promise that resolves when the job is stored.`,
  );
}

const readOptions = /* @__PURE__ */ options<QueueReceiverOptions>(
  "createQueueReceiver",
  /* @__PURE__ */ receiverTable(),
  "{ secret, queue, keys }",
);

function receiverTable() {
  return { ...aboutDeliveries(), ...aboutReports, ...aboutJobs, queue: { required: readQueue } };
}

/** Returns the queue of the caller, and no copy of it, because `add` may use `this`. */
function readQueue(queue: unknown, _name: string, owner: string): DeliveryQueue {
  if (!hasMethod(queue, "add"))
    throw requires(
      owner,
      'queue, such as { add: (job) => queue.add("delivery", job, { jobId: job.id }) }',
      queue,
    );
  checkQueue(queue);
  return queue as DeliveryQueue;
}

const checkQueue = /* @__PURE__ */ options<DeliveryQueue>("queue", {
  add: { required: aFunction },
  redis: (redis) => {
    openRedis("redis of queue", redis);
    return redis as RedisClient;
  },
});
