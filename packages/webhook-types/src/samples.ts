import {
  describeValue,
  isRecord,
  isSecret,
  mistake,
  readInput,
  anything,
  options,
  timeOfStamp,
} from "@fieldmesh/core/internal";
import { didYouMean } from "./events/show-name.ts";
import { eventTypes } from "./events/event-types.ts";
import type { EventType, WebhookEvent } from "./events/webhook-event.ts";
import { parseSample } from "./parse/parse-event.ts";
import { dataSamples } from "./events/samples/generated/data-samples.ts";
import type { EventContext } from "./router/event-handlers.ts";

/** Any part of a value. Lists and secrets are replaced whole. A secret may be a string. */
export type Overrides<Value> = Value extends { reveal(): infer Revealed }
  ? Value | Revealed
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? { [Key in keyof Value]?: Overrides<Value[Key]> | undefined }
      : Value;

const sampleEnvelope = {
  id: "evt_01JD3Y6M2P5VX8",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  idempotency_key: "idem_01JD3Y6M2P5VX8",
};

/**
 * Creates an event of any type, with the fields that the published spec names, and merges your overrides into it. `undefined`
 * removes a field.
 *
 * All samples have the same `id`: pass another one if a store must distinguish two of them. The event is parsed like a received
 * one, so secrets are Secrets, and `signedRequest` writes them back to the wire format. The same arguments return an equal event.
 * Throws an EventParseError if the overrides do not have the form that the published spec defines. If they contradict it otherwise,
 * such as in a status, `event.drift` says where.
 *
 * @example
 * ```ts
 * const event = sampleEvent("sim.suspended", { data: { object: { subscriber_id: "sub_1" } } });
 * ```
 */
export function sampleEvent<Type extends EventType>(
  type: Type,
  overrides?: Overrides<WebhookEvent<Type>>,
): WebhookEvent<Type> {
  if (typeof type !== "string")
    throw mistake(`${describeValue(type)} is not an event type: see eventTypes.`);
  if (!Object.hasOwn(dataSamples, type))
    throw mistake(
      `${JSON.stringify(type)} is not an event type: see eventTypes.${didYouMean(type, eventTypes)}`,
    );
  const wire = readInput("The argument of sampleEvent", () =>
    merge({ ...sampleEnvelope, type, data: dataSamples[type] }, overrides ?? {}),
  );
  // The schema of this type has validated it.
  return parseSample(wire) as WebhookEvent<Type>;
}

function merge(base: unknown, over: unknown): unknown {
  if (isSecret(over)) return over.reveal();
  if (!isRecord(over)) return over;
  const merged = isRecord(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}

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
