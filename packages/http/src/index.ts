// What every client exports to its users. A name that is added here is public in all clients.

export {
  CheckpointError,
  isSecret,
  parseJson,
  Secret,
  setDefaultValidation,
  stringifyJson,
} from "@fieldmesh/core";
export type {
  AttemptMessage,
  CallMessage,
  InferSchema,
  PageMessage,
  Schema,
  TracedError,
  Validation,
} from "@fieldmesh/core";
export type { KeyOption } from "./options/credential.ts";
export type { ClientOptions, RetryOptions } from "./options/client-options.ts";
export type { Drift } from "./options/drift.ts";
export type { CallOptions, IdempotentCallOptions } from "./options/call-options.ts";
export type {
  CallEvent,
  FailureEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
} from "./options/hooks.ts";
export type { Logger } from "./options/logger.ts";
export {
  rateLimits,
  type LimitState,
  type KnownRateLimit,
  type RateLimitOption,
  type RateLimitState,
  type ReadWriteLimit,
  type RequestLimit,
  type SharedCounter,
  type SharedRateLimit,
} from "./limit/rate-limit-option.ts";
export type { AnyRequest } from "./request/any-request.ts";
export type { ClientMethods } from "./client/methods.ts";
// For `declaration: true` in code that exports a method: under pnpm, a consumer cannot name types that only this package exports.
export type { Open } from "./table/caller-schema.ts";
export type { Page, Pager, PagerIterator, WalkIterator } from "./pager/page.ts";
export type { PagerOptions } from "./pager/pager-options.ts";
export type { Checkpoint } from "./pager/checkpoint.ts";
export { withResponse, type WithResponse } from "./response/with-response.ts";

export { AbortError } from "./errors/abort-error.ts";
export { ApiError, type ApiErrorDetails, type ApiErrorInit } from "./errors/api-error.ts";
export { CallError, type Attempt, type CallContext, type Outcome } from "./errors/call-error.ts";
export { ConnectionError } from "./errors/connection-error.ts";
export { CredentialError, FetchFunctionError } from "./errors/function-errors.ts";
export {
  CursorExpiredError,
  CursorLoopError,
  PlaceLostError,
  TooManyEmptyPagesError,
} from "./errors/walk-errors.ts";
export { InputError } from "./errors/input-error.ts";
export { isApiError } from "./errors/is-api-error.ts";
export type { Problem } from "./errors/problem.ts";
export { ResponseValidationError } from "./errors/response-validation-error.ts";
export { TimeoutError } from "./errors/timeout-error.ts";
