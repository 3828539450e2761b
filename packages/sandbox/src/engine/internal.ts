// What a proof shares with the engine.
export { listOf } from "./checks.ts";
export { playFault } from "./faults/play-faults.ts";
export { RETRY_DELAYS } from "./webhooks/delivery.ts";
export { storedCopy } from "./webhooks/event-copies.ts";
