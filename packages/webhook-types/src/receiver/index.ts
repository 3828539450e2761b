export {
  handleEvent,
  type EventDispatcher,
  type EventOutcome,
  type HandleEventOptions,
} from "./handle-event.js";
export type {
  Claim,
  EventStore,
  IdempotencyStore,
  Inbox,
  InboxOutcome,
  InboxTransaction,
} from "../stores/idempotency-store.js";
export { memoryStore, type MemoryStoreOptions } from "./memory-store.js";
export { noStore } from "./no-store.js";
export type { ObjectOrder } from "../stores/object-order.js";
export { memoryOrder } from "./memory-order.js";
export { createReceiver, type Receiver } from "./create-receiver.js";
export type { DeliveryReport, ReceiverOptions } from "./receiver-options.js";
export type { DeliveryOutcome } from "./answers.js";
export type { RawMessage, ReceiverAnswer } from "../adapters/raw-message.js";
