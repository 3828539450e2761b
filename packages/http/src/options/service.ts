import type { ApiErrorDetails, ApiErrorInit, ApiError } from "../errors/api-error.ts";
import type { CallFacts } from "../errors/call-error.ts";
import type { ShowText } from "../errors/show-text.ts";
import type { RawResponse } from "../send/fetch-attempt.ts";

/** What differs between the services: their error bodies and their retry hints. */
export interface Service {
  /** As messages name it: "the console". */
  readonly name: string;
  /** The default of the option `observedRules`. @default false */
  readonly observedRules?: boolean;
  /**
   * Reads an error body. What it returns appears in messages and logs: pass each text of the service through `show`, and
   * none that is the whole body. `meaning` is what the row says of the status.
   */
  readError(response: RawResponse, meaning: string | undefined, show: ShowText): ApiErrorDetails;
  /** How long the server asks to wait, in milliseconds; without it the Retry-After header counts. */
  readRetryHint?(response: RawResponse): number | undefined;
  /**
   * Returns true when an earlier request with the same idempotency key is still in progress. The same request is then
   * retried. Until it gets another response, the result of the earlier one is unknown.
   */
  isInFlight?(response: RawResponse): boolean;
  /** The service limits reads and writes separately, so that a 429 to one does not hold back the other. */
  readonly countsWritesApart?: boolean;
  /** Makes an error of the service's own kind where it has one; `undefined` leaves it to ApiError. `show` is that of `readError`. */
  makeError?(facts: CallFacts, init: ApiErrorInit, show: ShowText): ApiError | undefined;
}
