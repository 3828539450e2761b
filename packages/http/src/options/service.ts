import type { ApiErrorDetails, ApiErrorInit, ApiError } from "../errors/api-error.ts";
import type { CallFacts } from "../errors/call-error.ts";
import type { Answer } from "../send/fetch-attempt.ts";

/** What differs between the services: how they say no, and how they say when to come back. */
export interface Service {
  /** As it stands in messages: "the console". */
  readonly name: string;
  /**
   * Reads an error body. Give only text that cannot repeat what was sent: it ends in messages and logs.
   * `meaning` is what the row says of the status.
   */
  readError(answer: Answer, meaning: string | undefined): ApiErrorDetails;
  /** How long the server asks to wait, in milliseconds; without it the Retry-After header counts. */
  readRetryHint?(answer: Answer): number | undefined;
  /**
   * Tells that an earlier request with the same idempotency key is still under way. The same request is then sent again,
   * and until it is answered otherwise nobody knows what the earlier one does.
   */
  isInFlight?(answer: Answer): boolean;
  /** Makes an error of the service's own kind where it has one; `undefined` leaves it to ApiError. */
  makeError?(facts: CallFacts, init: ApiErrorInit): ApiError | undefined;
}
