import { isFieldmeshError } from "@fieldmesh/core";
import type { ApiError } from "./api-error.ts";

/**
 * Tells whether a value is an error status from the server. Pass a status to check for that one.
 *
 * @example
 * ```ts
 * if (isApiError(error, 404)) return undefined;
 * ```
 */
export function isApiError(value: unknown, status?: number): value is ApiError {
  // Checks a member and not the class, so that a bundle with this function alone leaves out the texts of the errors.
  if (!isFieldmeshError(value) || !("retryAt" in value)) return false;
  return status === undefined || (value as ApiError).status === status;
}
