import { options, readInput, systemClock } from "@fieldmesh/core/internal";
import type { EventMap } from "../events/webhook-event.ts";
import { aboutEvents, aboutLivemode, aboutReports, positive } from "../receiver/check-options.ts";
import { createHandling } from "../receiver/create-handling.ts";
import type { EventOutcome } from "../receiver/event-outcome.ts";
import type { ReceiverOptions } from "../receiver/receiver-options.ts";
import { createReporter, type DeliveryResult } from "../receiver/report-delivery.ts";
import { traceDelivery } from "../receiver/create-responder.ts";
import type { CheckedNames } from "../router/checked-names.ts";
import type { AnyEventMap } from "../router/event-handlers.ts";
import { SEVEN_DAYS } from "../stores/store-options.ts";
import {
  aboutJobs,
  type JobOptions,
  openJob,
  type DeliveryJob,
  type StoredDelivery,
} from "./delivery-job.ts";
import { FieldmeshError } from "@fieldmesh/core";
import { describeErrors } from "../receiver/describe-errors.ts";
import type { DeliveryOutcome } from "../receiver/responses.ts";

/** Options of {@link createQueueWorker}: those of a receiver about events, and the keys. */
export interface QueueWorkerOptions<Events extends AnyEventMap = EventMap>
  extends
    JobOptions,
    Omit<ReceiverOptions<Events>, "secret" | "secrets" | "scheme" | "tolerance" | "maxBytes"> {
  /**
   * How many milliseconds after a receiver has stored it a job is handled at most. An older one ends with `too_old`: after that
   * time, the store may have forgotten that its event was handled. `Infinity` handles jobs of any age.
   *
   * @default - how long the store remembers an event, or 604_800_000, 7 days, if it does not say
   */
  readonly maxAge?: number | undefined;
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
export function createQueueWorker(given: QueueWorkerOptions): QueueWorker {
  return readInput("The argument of createQueueWorker", () => makeWorker(given));
}

function makeWorker(given: QueueWorkerOptions): QueueWorker {
  const own = readOptions(given);
  const { store, clock = systemClock } = own;
  const maxAge = own.maxAge ?? (store.remembers || SEVEN_DAYS);
  const { handle, runAgain } = createHandling("worker", own);
  const report = createReporter(own, "A webhook worker ended with");

  const work = async (job: DeliveryJob): Promise<JobResult> => {
    let stored: StoredDelivery;
    try {
      stored = await openJob(job, own);
    } catch (error) {
      report({ outcome: "unreadable", error });
      throw error;
    }
    const { body, delivery, tenant, carrier, storedAt } = stored;
    const isTooOld = clock.now() - storedAt > maxAge;
    const result = await traceDelivery(
      async () => (isTooOld ? { outcome: "too_old" } : handle(body, tenant, { delivery })),
      { carrier },
    );
    report(result);
    const { outcome } = result;
    if (isDone(outcome)) return { outcome };
    throw new DeliveryJobError(job.id, result);
  };

  return Object.assign(work, { runAgain });
}

const DONE: ReadonlySet<string> = new Set(["handled", "duplicate", "superseded", "set_aside"]);

function isDone(outcome: DeliveryResult["outcome"]): outcome is JobResult["outcome"] {
  return DONE.has(outcome);
}

const readOptions = /* @__PURE__ */ options<QueueWorkerOptions>(
  "createQueueWorker",
  /* @__PURE__ */ workerTable(),
  "{ keys, store, handlers }",
);

function workerTable() {
  return {
    ...aboutEvents("A worker"),
    ...aboutReports,
    ...aboutJobs,
    expectLivemode: aboutLivemode,
    maxAge: positive("milliseconds", Number.POSITIVE_INFINITY),
  };
}

/**
 * Thrown by a worker for a job that its queue should try again.
 *
 * Queues store the errors of their jobs, so it names the classes and codes of the errors of your handlers, and nothing of the
 * event: no id, no message, no cause. `onError` of the worker receives the errors themselves.
 */
export class DeliveryJobError extends FieldmeshError {
  protected static override readonly errorName: string = "DeliveryJobError";

  /** The id of the job. */
  readonly jobId: string;
  /** Why the job is not done, such as `failed`, `in_progress` or `store_failed`. */
  readonly outcome: DeliveryOutcome;

  constructor(jobId: string, { outcome, error }: Pick<DeliveryResult, "outcome" | "error">) {
    const names = error === undefined ? "" : ` (${describeErrors(error)})`;
    super(
      `The delivery job ${jobId} ended with ${outcome}${names}. ${ADVICE[outcome] ?? SEE_ON_ERROR}`,
    );
    this.jobId = jobId;
    this.outcome = outcome;
  }
}

const SEE_ON_ERROR = "onError of the worker receives the error.";
const ADVICE: Readonly<Partial<Record<DeliveryOutcome, string>>> = {
  in_progress: "Another worker is handling its event. The queue tries the job again.",
  lease_lost: "Its lease ended before the store could record its event. The queue tries it again.",
  not_parsed: "Its body is not an event for parse of the worker. onError receives the error.",
  too_old:
    "It was stored longer ago than maxAge of the worker, so the store may have forgotten that its event was handled. Check that in your own data, and deliver the event again if it is missing.",
  not_set_aside: "Its event cannot be kept: set payload of the poison store, or reload of poison.",
};
