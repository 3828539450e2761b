import type { IdempotencyStore } from "./idempotency-store.ts";

/**
 * Creates a store that remembers nothing: an event that is delivered twice is handled twice, even in parallel.
 *
 * Use it for handlers that tolerate this, such as one that only puts the event into a queue keyed by its id.
 *
 * @example
 * ```ts
 * const receive = createReceiver({ secret: "whsec_test_secret_only", store: noStore(), handlers: {} });
 * ```
 */
export function noStore(): IdempotencyStore {
  return {
    remembers: 0,
    claim: async () => ({ status: "claimed", attempt: 1 }),
    extend: async () => true,
    complete: async () => true,
    release: async () => {},
  };
}
