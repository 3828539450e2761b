import { AbortError } from "./abort-error.ts";
import type { CallError } from "./call-error.ts";
import { isApiError } from "./is-api-error.ts";
import { STATUS } from "./statuses.ts";
import { TimeoutError } from "./timeout-error.ts";

/** Tells whether the server may still be working on the request, after an abort, or a timeout here or in a proxy. */
export function mayBeAtWork(error: CallError): boolean {
  return (
    error instanceof AbortError ||
    error instanceof TimeoutError ||
    isApiError(error, STATUS.requestTimeout) ||
    isApiError(error, STATUS.gatewayTimeout)
  );
}
