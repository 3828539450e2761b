export { handleEvent } from "./handle-event.ts";
export type { EventDispatcher, HandleEventOptions } from "./handle-event-options.ts";
export type {
  Claim,
  EventStore,
  IdempotencyStore,
  LeasableStore,
  Inbox,
  InboxOutcome,
  InboxTransaction,
} from "../stores/idempotency-store.ts";
export { memoryStore, type MemoryStoreOptions } from "../stores/memory-store.ts";
export { noStore } from "../stores/no-store.ts";
export type { ClaimOrigin, InboxOrder, ObjectClaim, ObjectOrder } from "../stores/object-order.ts";
export { memoryOrder, type MemoryOrderOptions } from "../stores/memory-order.ts";
export { memoryPoison, type MemoryPoisonOptions } from "../stores/memory-poison.ts";
export type {
  FailedAttempt,
  KeptEvent,
  PoisonStore,
  SetAsideEvent,
} from "../stores/poison-store.ts";
export type { PoisonOptions } from "./poison.ts";
export type { EncryptionKey, PayloadOptions, Payloads } from "../stores/store-options.ts";
export { runAgain, type RunAgainOptions } from "./run-again.ts";
export type { EventOutcome } from "./event-outcome.ts";
export type { TenantRequest, TenantSecrets } from "./tenants.ts";
export { createReceiver, type Receiver } from "./create-receiver.ts";
export type { DeliveryReport, ReceiverLogger, ReceiverOptions } from "./receiver-options.ts";
export type { DeliveryMessage, HandlerMessage, StoreMessage, TracedError } from "@fieldmesh/core";
export type { DeliveryOutcome } from "./responses.ts";
export type { RawMessage, ReceiverResponse } from "../adapters/raw-message.ts";
