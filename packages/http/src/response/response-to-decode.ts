import type { Schema } from "@fieldmesh/core";
import type { HoldsSecret } from "@fieldmesh/core/schema";
import type * as z from "zod/mini";
import type { Attempt } from "../errors/call-error.ts";
import type { Settings } from "../options/settings.ts";
import type { BoundRow } from "../request/request.ts";
import type { RawResponse } from "../send/fetch-attempt.ts";

/** A response that was received, and how its client decodes it. */
export interface ResponseToDecode {
  readonly bound: BoundRow;
  readonly response: RawResponse;
  /** The body as JSON, or as text where it is none. */
  readonly value: unknown;
  readonly attempts: readonly Attempt[];
  readonly settings: Settings;
  /** The caller's, for a record that the spec leaves open. */
  readonly schema: Schema | undefined;
  readonly compile: CompileSchema | undefined;
  /** The check for the secrets of the call, made when it is needed. */
  readonly holdsSecret: HoldsSecret;
}

/** Makes a schema faster, such as `compileSchema` of `@fieldmesh/core/schema`. */
export type CompileSchema = <S extends z.core.$ZodType>(schema: S) => S;
