// What the client packages build on.
export { endpoint } from "./endpoint.js";
export type { Endpoint, Route, Table } from "./row.js";
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
} from "./result.js";
export { bind } from "./bind.js";
export type { Methods, OpenMethod, PageMethod } from "./methods.js";
export type { Open } from "./caller-schema.js";
export { createTransport, type Transport, type TransportInit } from "./transport.js";
export type { Service } from "./service.js";
export type { Answer, FetchFunction, FetchInit } from "./fetch-attempt.js";
export { answerDecoder, answerSchema } from "./decode.js";
export { readRetryAfter } from "./retry-after.js";

// What every client gives to its users.
export type { ClientOptions, Drift, RetryOptions } from "./client-options.js";
export type { CallOptions, IdempotentCallOptions } from "./call-options.js";
export type { CallEvent, FailureEvent, Hooks, RequestEvent, ResponseEvent } from "./hooks.js";
export type { Page, Pager, PagerIterator } from "./pager/page.js";
export type { PagerOptions } from "./pager/pager-options.js";
export type { Checkpoint } from "./pager/checkpoint.js";
export type { InferSchema, Schema } from "./standard-schema.js";
export { withResponse, type CallResponse, type WithResponse } from "./with-response.js";

export { AbortError } from "./errors/abort-error.js";
export { ApiError, type ApiErrorDetails, type ApiErrorInit } from "./errors/api-error.js";
export { CallError, type Attempt, type CallFacts, type Outcome } from "./errors/call-error.js";
export { ConnectionError } from "./errors/connection-error.js";
export { CursorExpiredError } from "./errors/cursor-expired-error.js";
export { CursorLoopError } from "./errors/cursor-loop-error.js";
export { InputError } from "./errors/input-error.js";
export { toProblems, type Problem } from "./errors/problem.js";
export { PlaceLostError } from "./errors/place-lost-error.js";
export { ResponseValidationError } from "./errors/response-validation-error.js";
export { TimeoutError, type TimeoutScope } from "./errors/timeout-error.js";
export { TooManyEmptyPagesError } from "./errors/too-many-empty-pages-error.js";
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
} from "./errors/guards.js";
