import { isFieldmeshError } from "@fieldmesh/core";
import { ApiError, type ApiErrorInit, type CallFacts } from "@fieldmesh/http";

/**
 * The map has read the uplink and does not take it. Nothing was drawn.
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
   * What the map says, reason by reason. One that is more than words about a field may repeat the uplink, so it stands in
   * `body` only; empty where the map gives no reasons, as by the published spec.
   */
  readonly reasons: readonly string[];

  constructor(facts: CallFacts, init: ApiErrorInit, reasons: readonly string[]) {
    super(facts, init);
    this.reasons = reasons;
  }
}

/** Tells whether the map has refused an uplink. */
export function isMapperRejectedError(value: unknown): value is MapperRejectedError {
  return isFieldmeshError(value, "MapperRejectedError");
}
