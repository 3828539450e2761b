export { createMobileClient, type MobileClient, type MobileClientOptions } from "./client.js";
export { modeOf, type Mode } from "./key-mode.js";
export { rateLimitOf, type RateLimit } from "./rate-limit.js";
export {
  catchUp,
  type CatchUpOptions,
  type CatchUpReport,
  type CatchUpTotals,
} from "./catch-up.js";
export type { NewSubscriber, Subscriber, Subscribers } from "./subscribers.js";
export type { NewSubscription, Renewal, Subscription, Subscriptions } from "./subscriptions.js";
export type { BalanceCredit, BalanceCredits, NewBalanceCredit } from "./balance-credits.js";
export type { FraudDecision, FraudDecisions, FraudRequest } from "./fraud-decisions.js";
export type { EventTypeEntry, EventTypes } from "./event-types.js";
export type { Events, StoredEvent } from "./events.js";

export { isSecret, parseJson, Secret, stringifyJson } from "@fieldmesh/core";
export {
  AbortError,
  ApiError,
  ConnectionError,
  CursorLoopError,
  InputError,
  ResponseValidationError,
  TimeoutError,
  isAbortError,
  isApiError,
  isCallError,
  isConnectionError,
  isCursorLoopError,
  isInputError,
  isResponseValidationError,
  isTimeoutError,
  withResponse,
  type Attempt,
  type CallOptions,
  type ClientOptions,
  type Drift,
  type Hooks,
  type IdempotentCallOptions,
  type Outcome,
  type Page,
  type Pager,
  type PagerOptions,
  type Problem,
  type RetryOptions,
  type WithResponse,
} from "@fieldmesh/http";
