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
 * Tells whether a value is any error of a call. Such an error has `call`, `route`, `outcome` and `attempts`.
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
 * Tells whether a value is an error status from the server. Pass a status to check for that one.
 *
 * @example
 * ```ts
 * if (isApiError(error, 404)) return undefined;
 * ```
 */
export function isApiError(value: unknown, status?: number): value is ApiError {
  // Checks members and not the name, because clients have their own subclasses of ApiError.
  if (!isCallError(value) || !("retryAt" in value)) return false;
  return status === undefined || (value as ApiError).status === status;
}

/** Tells whether the connection failed. */
export function isConnectionError(value: unknown): value is ConnectionError {
  return isFieldmeshError(value, "ConnectionError");
}

/** Tells whether the function that returns the API key failed. */
export function isCredentialError(value: unknown): value is CredentialError {
  return isFieldmeshError(value, "CredentialError");
}

/** Tells whether the function of the option `fetch` has a bug. */
export function isFetchFunctionError(value: unknown): value is FetchFunctionError {
  return isFieldmeshError(value, "FetchFunctionError");
}

/** Tells whether a timeout expired. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return isFieldmeshError(value, "TimeoutError");
}

/** Tells whether your signal aborted the call. */
export function isAbortError(value: unknown): value is AbortError {
  return isFieldmeshError(value, "AbortError");
}

/** Tells whether the input was rejected before a request was sent. */
export function isInputError(value: unknown): value is InputError {
  return isFieldmeshError(value, "InputError");
}

/** Tells whether the body of a successful response does not fit the contract. */
export function isResponseValidationError(value: unknown): value is ResponseValidationError {
  return isFieldmeshError(value, "ResponseValidationError");
}

/** Tells whether a cursor has expired. */
export function isCursorExpiredError(value: unknown): value is CursorExpiredError {
  return isFieldmeshError(value, "CursorExpiredError");
}

/** Tells whether a list returned a cursor that the walk had already followed. */
export function isCursorLoopError(value: unknown): value is CursorLoopError {
  return isFieldmeshError(value, "CursorLoopError");
}

/** Tells whether a list had more empty pages in a row than allowed. */
export function isTooManyEmptyPagesError(value: unknown): value is TooManyEmptyPagesError {
  return isFieldmeshError(value, "TooManyEmptyPagesError");
}

/** Tells whether a walk could not find its place in a list again. */
export function isPlaceLostError(value: unknown): value is PlaceLostError {
  return isFieldmeshError(value, "PlaceLostError");
}
