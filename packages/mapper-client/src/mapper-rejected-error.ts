import { ApiError, type ApiErrorInit, type CallContext } from "@fieldmesh/http";

/**
 * Thrown when the map has read the uplink and rejected it. Nothing appears on the map.
 *
 * @example
 * ```ts
 * await client.ingest(uplink).catch((error: unknown) => {
 *   if (!(error instanceof MapperRejectedError)) throw error;
 *   console.error(error.reasons);
 * });
 * ```
 */
export class MapperRejectedError extends ApiError {
  protected static override readonly errorName: string = "MapperRejectedError";

  /**
   * The reasons of the map. Only reasons about a field are listed. Any other may repeat the uplink, so only `body` contains it.
   * Empty if the map sends no reasons, as in the published spec.
   */
  readonly reasons: readonly string[];

  constructor(context: CallContext, init: ApiErrorInit, reasons: readonly string[]) {
    super(context, init);
    this.reasons = reasons;
  }
}
