import { isFieldmeshError } from "@fieldmesh/core";
import { ApiError, type ApiErrorInit, type CallFacts } from "@fieldmesh/http";

/**
 * The map has read the uplink and rejected it. Nothing was drawn.
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
   * The reasons of the map. A reason that is more than words about a field may repeat the uplink, so only `body` has it;
   * empty where the map sends no reasons, as in the published spec.
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
