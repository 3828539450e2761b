import { anything, options, timeOfStamp } from "@fieldmesh/core/internal";
import type { EventContext } from "../router/event-context.ts";
import { sampleEnvelope } from "./sample-event.ts";

const readOptions = /* @__PURE__ */ options<Partial<EventContext>>("testContext", {
  idempotencyKey: anything,
  attempt: anything,
  delivery: anything,
  signal: anything,
  order: anything,
  tenant: anything,
});

/**
 * Makes the context of an event, to call a handler in a test: a first attempt at the event that {@link sampleEvent} makes,
 * delivered and signed when it was created, with a signal that never aborts. Your overrides replace each of these.
 *
 * No inbox knows it, so `inbox.transaction(testContext())` throws: test such a handler with `handleEvent` and the inbox.
 *
 * @example
 * ```ts
 * const handler: EventHandler<WebhookEvent<"sim.activated">> = (event, { signal }) => activate(event, signal);
 * await handler(sampleEvent("sim.activated"), testContext({ signal: AbortSignal.abort() }));
 * ```
 */
export function testContext(overrides: Partial<EventContext> = {}): EventContext {
  readOptions(overrides);
  const signedAt = timeOfStamp(sampleEnvelope.created_at) / 1_000;
  return {
    idempotencyKey: sampleEnvelope.id,
    attempt: 1,
    delivery: { signedAt, secretIndex: 0, messageId: undefined },
    signal: new AbortController().signal,
    ...overrides,
  };
}
