import { FieldmeshError } from "@fieldmesh/core";
import { describeErrors } from "../receiver/describe-errors.ts";
import type { DeliveryResult } from "../receiver/report-delivery.ts";
import type { DeliveryOutcome } from "../receiver/responses.ts";

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
