// What the client packages build on.
export { endpoint } from "./endpoint.ts";
export type { Endpoint, Route, Table } from "./row.ts";
export {
  data,
  kindOf,
  page,
  text,
  type DataResult,
  type PageFacts,
  type PageResult,
  type Result,
  type TextResult,
} from "./result.ts";
export { bind } from "./bind.ts";
export type { Methods, OpenMethod, PageMethod } from "./methods.ts";
export type { Open } from "./caller-schema.ts";
export { createTransport, type Transport, type TransportInit } from "./transport.ts";
export type { Service } from "./service.ts";
export type { Answer, FetchFunction, FetchInit } from "./fetch-attempt.ts";
export { responseSchema, type CompileSchema } from "./decode.ts";
export { readRetryAfter } from "./retry-after.ts";

// What every client gives to its users.
export type { ClientOptions, Drift, RetryOptions } from "./client-options.ts";
export type { CallOptions, IdempotentCallOptions } from "./call-options.ts";
export type { CallEvent, FailureEvent, Hooks, RequestEvent, ResponseEvent } from "./hooks.ts";
export type { Page, Pager, PagerIterator } from "./pager/page.ts";
export type { PagerOptions } from "./pager/pager-options.ts";
export type { Checkpoint } from "./pager/checkpoint.ts";
export type { InferSchema, Schema } from "./standard-schema.ts";
export { withResponse, type CallResponse, type WithResponse } from "./with-response.ts";

export { AbortError } from "./errors/abort-error.ts";
export { ApiError, type ApiErrorDetails, type ApiErrorInit } from "./errors/api-error.ts";
export { CallError, type Attempt, type CallFacts, type Outcome } from "./errors/call-error.ts";
export { ConnectionError } from "./errors/connection-error.ts";
export { CursorExpiredError } from "./errors/cursor-expired-error.ts";
export { CursorLoopError } from "./errors/cursor-loop-error.ts";
export { InputError } from "./errors/input-error.ts";
export { OWN_MESSAGES_ONLY, toProblems, type Problem } from "./errors/problem.ts";
export { PlaceLostError } from "./errors/place-lost-error.ts";
export { ResponseValidationError } from "./errors/response-validation-error.ts";
export { TimeoutError, type TimeoutScope } from "./errors/timeout-error.ts";
export { TooManyEmptyPagesError } from "./errors/too-many-empty-pages-error.ts";
export {
  isAbortError,
  isApiError,
  isCallError,
  isConnectionError,
  isCursorExpiredError,
  isCursorLoopError,
  isInputError,
  isPlaceLostError,
  isResponseValidationError,
  isTimeoutError,
  isTooManyEmptyPagesError,
} from "./errors/guards.ts";
