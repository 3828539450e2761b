import {
  checkOptionNames,
  requireOptions,
  steadyClock,
  systemClock,
  type EncryptionKey,
  mistake,
  readInput,
} from "@fieldmesh/core/internal";
import type { EventMap } from "../events/webhook-event.ts";
import { parseEvent } from "../parse/parse-event.ts";
import {
  checkHandlingOptions,
  checkReportOptions,
  handlingNames,
} from "../receiver/check-options.ts";
import type { EventOutcome } from "../receiver/event-outcome.ts";
import { handleChecked } from "../receiver/handle-event.ts";
import { checkingOf, readEvent } from "../receiver/read-delivery.ts";
import type {
  HandlingOptions,
  ReceiverOptions,
  ReportOptions,
} from "../receiver/receiver-options.ts";
import { createReporter, type DeliveryResult } from "../receiver/report-delivery.ts";
import { statusOf } from "../receiver/responses.ts";
import { runAgain } from "../receiver/run-again.ts";
import { traceJob } from "../receiver/trace-delivery.ts";
import type { CheckedNames } from "../router/checked-names.ts";
import { createEventRouter } from "../router/create-event-router.ts";
import type { AnyEventMap } from "../router/event-handlers.ts";
import { checkKeys } from "./check-keys.ts";
import { DeliveryJobError } from "./delivery-job-error.ts";
import { openJob, type DeliveryJob, type StoredDelivery } from "./delivery-job.ts";

/** Options of {@link createQueueWorker}: those of a receiver about events, and the keys. */
export interface QueueWorkerOptions<Events extends AnyEventMap = EventMap>
  extends HandlingOptions<Events>, ReportOptions {
  /** Keys for AES-GCM: all that may have encrypted a job that is still in the queue, in any order. */
  readonly keys: readonly EncryptionKey[];
}

/** How a job ended that is done. The queue may store it: it shows nothing of the event. */
export interface JobResult {
  /** `set_aside` is an event that keeps failing and was kept: run it with `runAgain`. */
  readonly outcome: "handled" | "duplicate" | "superseded" | "set_aside";
}

/** Handles a job of a queue. */
export interface QueueWorker {
  /** Handles the event of a job. Rejects if the queue should try the job again, mostly with a {@link DeliveryJobError}. */
  (job: DeliveryJob): Promise<JobResult>;
  /** Runs the handlers of an event that was set aside, and returns the outcome, like that of a receiver. */
  readonly runAgain: (id: string) => Promise<EventOutcome>;
}

/**
 * Creates the function that handles the jobs of `createQueueReceiver`: it decrypts and parses the delivery, claims its event in
 * the store, and runs the handlers, as a receiver without a queue does.
 *
 * It resolves when the event is done, and rejects when your queue should try the job again. A job that was done but not completed,
 * because its process was killed between the two, ends as `duplicate`. In the reports, `status` is the status that a receiver
 * without a queue would send. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * const work = createQueueWorker({ keys: [key], store: postgresInbox(pool), handlers });
 * new Worker("deliveries", (job) => work(job.data), { connection });
 * ```
 */
export function createQueueWorker<
  Events extends AnyEventMap = EventMap,
  Name extends string = never,
>(
  options: NoInfer<QueueWorkerOptions<Events>> & { readonly handlers: CheckedNames<Name, Events> },
): QueueWorker;
export function createQueueWorker(options: QueueWorkerOptions): QueueWorker {
  return readInput("The argument of createQueueWorker", () => makeWorker(options));
}

function makeWorker(options: QueueWorkerOptions): QueueWorker {
  checkOptions(options);
  const { keys, store, order, lease, poison, clock = systemClock } = options;
  const parse: NonNullable<ReceiverOptions["parse"]> = options.parse ?? parseEvent;
  const checking = checkingOf(options);
  const router = createEventRouter(options.handlers);
  const handling = { store, order, lease, clock, router, poison };
  const report = createReporter(options, steadyClock(clock), "A webhook worker ended with");

  const handle = async ({ body, delivery, tenant }: StoredDelivery): Promise<DeliveryResult> => {
    const found = readEvent(() => parse(body, checking));
    if (!("parsed" in found)) return found;
    const event = found.parsed;
    const named = { id: event.id, type: event.type };
    const origin = { delivery, body };
    return { event: named, ...(await handleChecked(event, { ...handling, tenant }, origin)) };
  };

  const finish = (result: DeliveryResult): void => report(result, statusOf(result.outcome));

  const work = async (job: DeliveryJob): Promise<JobResult> => {
    let stored: StoredDelivery;
    try {
      stored = await openJob(job, keys);
    } catch (error) {
      finish({ outcome: "unreadable", error });
      throw error;
    }
    const result = await traceJob(stored.carrier, () => handle(stored));
    finish(result);
    const { outcome } = result;
    if (isDone(outcome)) return { outcome };
    throw new DeliveryJobError(job.id, result);
  };

  const runOneAgain = async (id: string): Promise<EventOutcome> => {
    if (poison === undefined)
      throw mistake("This worker sets no event aside. Pass poison: { store }.");
    return runAgain(id, { ...handling, poison, parse: (body) => parse(body, checking) });
  };
  return Object.assign(work, { runAgain: runOneAgain });
}

function isDone(outcome: DeliveryResult["outcome"]): outcome is JobResult["outcome"] {
  return (
    outcome === "handled" ||
    outcome === "duplicate" ||
    outcome === "superseded" ||
    outcome === "set_aside"
  );
}

function checkOptions(options: QueueWorkerOptions): void {
  const owner = "createQueueWorker";
  requireOptions(owner, options, "{ keys, store, handlers }");
  checkOptionNames(owner, options, [...handlingNames, "keys"]);
  const { keys } = options as Partial<QueueWorkerOptions>;
  checkKeys(owner, keys);
  checkHandlingOptions("A worker", options);
  checkReportOptions(options);
}
