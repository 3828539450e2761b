import { isFieldmeshError } from "@fieldmesh/core";
import { ApiError, type ApiErrorInit, type CallFacts } from "@fieldmesh/http";

/**
 * Thrown when the map has read the uplink and rejected it. Nothing appears on the map.
 *
 * @example
 * ```ts
 * await client.ingest(uplink).catch((error: unknown) => {
 *   if (!isMapperRejectedError(error)) throw error;
 *   console.error(error.reasons);
 * });
 * ```
 */
export class MapperRejectedError extends ApiError {
  static {
    this.prototype.name = "MapperRejectedError";
  }

  /**
   * The reasons of the map. Only reasons about a field are listed. Any other may repeat the uplink, so only `body` contains it.
   * Empty if the map sends no reasons, as in the published spec.
   */
  readonly reasons: readonly string[];

  constructor(facts: CallFacts, init: ApiErrorInit, reasons: readonly string[]) {
    super(facts, init);
    this.reasons = reasons;
  }
}

/** Tells whether the map has rejected an uplink. */
export function isMapperRejectedError(value: unknown): value is MapperRejectedError {
  return isFieldmeshError(value, "MapperRejectedError");
}
