import type { HideContext } from "@fieldmesh/core/internal/schema";
import type { ApiErrorDetails, ApiErrorInit, ApiError } from "../errors/api-error.ts";
import type { CallContext } from "../errors/call-error.ts";
import type { ShowText } from "../errors/show-text.ts";
import type { RawResponse } from "../wire/read-body.ts";

/** What differs between the services: error bodies and retry hints. */
export interface Service {
  /** The name in messages, such as "the console". */
  readonly name: string;
  /**
   * What the names of undeclared fields mean: `false` if everything in it is public.
   *
   * @default {} - a value is hidden if its name is that of a secret
   */
  readonly hides?: HideContext | false;
  /** The default of the option `observedRules`. @default false */
  readonly observedRules?: boolean;
  /**
   * Reads an error body. Its result appears in messages and logs: pass each string from the service through `show`, and never
   * return the whole body as one. `meaning` is what the row says about the status.
   */
  readError(response: RawResponse, meaning: string | undefined, show: ShowText): ApiErrorDetails;
  /** Returns how long the server asks to wait, in milliseconds. Without this function, the Retry-After header counts. */
  readRetryHint?(response: RawResponse): number | undefined;
  /**
   * Returns true if an earlier request with the same idempotency key is still in progress. The same request is then retried.
   * Until it gets another response, the result of the earlier request is unknown.
   */
  isInFlight?(response: RawResponse): boolean;
  /**
   * Returns true if a 404 has the body with which the service itself says that nothing matches. A proxy or another server at a
   * wrong address has another body.
   */
  saysAbsent?(body: string): boolean;
  /** The service limits reads and writes separately, so a 429 to one does not delay the other. */
  readonly countsWritesApart?: boolean;
  /** Creates the service's own kind of error. `undefined` falls back to ApiError. `show` is the one of `readError`. */
  makeError?(context: CallContext, init: ApiErrorInit, show: ShowText): ApiError | undefined;
}
