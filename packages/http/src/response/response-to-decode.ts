import type { Schema } from "@fieldmesh/core";
import type { Service } from "../options/service.ts";
import type { HoldsSecret } from "@fieldmesh/core/internal/schema";
import type { Attempt } from "../errors/call-error.ts";
import type { Settings } from "../options/settings.ts";
import type { BoundRow } from "../request/request.ts";
import type { RawResponse } from "../wire/read-body.ts";

/** A received response, and how its client decodes it. */
export interface ResponseToDecode {
  readonly endpoint: BoundRow;
  readonly response: RawResponse;
  /** The body parsed as JSON, or as a string if it is not JSON. */
  readonly value: unknown;
  readonly attempts: readonly Attempt[];
  readonly settings: Settings;
  /** The user's schema, for a record that the spec does not describe. */
  readonly schema: Schema | undefined;
  /** What the names of undeclared fields mean in this service. */
  readonly hides: Service["hides"];
  /** The check for the secrets of the call, created when it is first needed. */
  readonly holdsSecret: HoldsSecret;
  /** The index of the record, if the response is read record by record. */
  readonly index?: number | undefined;
}
