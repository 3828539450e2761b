export { createLedgerClient, type LedgerClient, type LedgerClientOptions } from "./client.js";

export type { Blocks } from "./blocks.js";
export type { Block, BlockHeight, BlockStats } from "./block.js";
export type { BlockFollower, FollowOptions } from "./follow.js";
export { MAX_RICH, type Accounts } from "./accounts.js";
export { nextNonce, type Account, type AccountStats, type Election, type Oui } from "./account.js";
export type { Hotspot } from "./hotspot.js";
export type { PendingTransaction } from "./pending-transaction.js";
export type { Reward, RewardsSum } from "./reward.js";
export type { Vars } from "./vars.js";
export type { Locations } from "./locations.js";
export type { Location } from "./location.js";
export {
  isKnownTransaction,
  type KnownTransaction,
  type OtherTransaction,
  type PocPathEntry,
  type PocReceipts,
  type PocRequest,
  type Receipt,
  type Transaction,
  type Witness,
} from "./transaction.js";
export { ago, type LedgerTime, type RelativeTime, type TimeUnit } from "./time.js";
export { formatBones, parseBones } from "./bones.js";

export { parseJson, stringifyJson } from "@fieldmesh/core";
export {
  AbortError,
  ApiError,
  ConnectionError,
  CursorExpiredError,
  CursorLoopError,
  InputError,
  PlaceLostError,
  ResponseValidationError,
  TimeoutError,
  TooManyEmptyPagesError,
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
  withResponse,
  type Attempt,
  type CallOptions,
  type Checkpoint,
  type ClientOptions,
  type Drift,
  type Hooks,
  type Outcome,
  type Page,
  type Pager,
  type PagerIterator,
  type PagerOptions,
  type Problem,
  type RetryOptions,
  type WithResponse,
} from "@fieldmesh/http";
