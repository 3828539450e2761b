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
} from "./idempotency-store.js";
export { memoryStore, type MemoryStoreOptions } from "./memory-store.js";
export { noStore } from "./no-store.js";
export { memoryOrder, type ObjectOrder } from "./object-order.js";
