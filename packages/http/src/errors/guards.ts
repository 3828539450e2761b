import { isFieldmeshError } from "@fieldmesh/core";
import type { ApiError } from "./api-error.ts";
import type { CallError } from "./call-error.ts";
import type { AbortError } from "./abort-error.ts";
import type { ConnectionError } from "./connection-error.ts";
import type { CredentialError } from "./credential-error.ts";
import type { CursorExpiredError } from "./cursor-expired-error.ts";
import type { CursorLoopError } from "./cursor-loop-error.ts";
import type { FetchFunctionError } from "./fetch-function-error.ts";
import type { InputError } from "./input-error.ts";
import type { PlaceLostError } from "./place-lost-error.ts";
import type { ResponseValidationError } from "./response-validation-error.ts";
import type { TimeoutError } from "./timeout-error.ts";
import type { TooManyEmptyPagesError } from "./too-many-empty-pages-error.ts";

/**
 * Tells whether a value is an error of a call, whichever; it then has `call`, `route`, `outcome` and `attempts`.
 *
 * @example
 * ```ts
 * if (isCallError(error) && error.outcome === "not_sent") await again();
 * ```
 */
export function isCallError(value: unknown): value is CallError {
  return isFieldmeshError(value) && "outcome" in value && "attempts" in value;
}

/**
 * Tells whether the server responded with an error status, and with that one if a status is given.
 *
 * @example
 * ```ts
 * if (isApiError(error, 404)) return undefined;
 * ```
 */
export function isApiError(value: unknown, status?: number): value is ApiError {
  // By its members, not by its name: the clients' own kinds of ApiError count too.
  if (!isCallError(value) || !("retryAt" in value)) return false;
  return status === undefined || (value as ApiError).status === status;
}

/** Tells whether the connection failed. */
export function isConnectionError(value: unknown): value is ConnectionError {
  return isFieldmeshError(value, "ConnectionError");
}

/** Tells whether the function that returns the key of the client failed. */
export function isCredentialError(value: unknown): value is CredentialError {
  return isFieldmeshError(value, "CredentialError");
}

/** Tells whether the function of the option `fetch` has a mistake. */
export function isFetchFunctionError(value: unknown): value is FetchFunctionError {
  return isFieldmeshError(value, "FetchFunctionError");
}

/** Tells whether a time-out ran out. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return isFieldmeshError(value, "TimeoutError");
}

/** Tells whether the caller's signal ended the call. */
export function isAbortError(value: unknown): value is AbortError {
  return isFieldmeshError(value, "AbortError");
}

/** Tells whether the input was rejected before anything was sent. */
export function isInputError(value: unknown): value is InputError {
  return isFieldmeshError(value, "InputError");
}

/** Tells whether a success had a body that does not fit the contract. */
export function isResponseValidationError(value: unknown): value is ResponseValidationError {
  return isFieldmeshError(value, "ResponseValidationError");
}

/** Tells whether a cursor has expired. */
export function isCursorExpiredError(value: unknown): value is CursorExpiredError {
  return isFieldmeshError(value, "CursorExpiredError");
}

/** Tells whether a list came back to a cursor that it had been at. */
export function isCursorLoopError(value: unknown): value is CursorLoopError {
  return isFieldmeshError(value, "CursorLoopError");
}

/** Tells whether a list had more empty pages in a row than allowed. */
export function isTooManyEmptyPagesError(value: unknown): value is TooManyEmptyPagesError {
  return isFieldmeshError(value, "TooManyEmptyPagesError");
}

/** Tells whether a walk did not find its place in a list again. */
export function isPlaceLostError(value: unknown): value is PlaceLostError {
  return isFieldmeshError(value, "PlaceLostError");
}
