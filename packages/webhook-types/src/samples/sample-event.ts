import { isRecord, isSecret } from "@fieldmesh/core";
import type { EventType, WebhookEvent } from "../events/webhook-event.ts";
import { parseEvent } from "../parse/parse-event.ts";
import { dataSamples } from "../events/generated/data-samples.ts";

/** Any part of a value. Lists and secrets are replaced whole; a secret may be given as text. */
export type Overrides<Value> = Value extends { reveal(): infer Text }
  ? Value | Text
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? { [Key in keyof Value]?: Overrides<Value[Key]> | undefined }
      : Value;

const envelope = {
  id: "evt_01JD3Y6M2P5VX8",
  created_at: "2026-11-20T08:30:00Z",
  livemode: false,
  idempotency_key: "idem_01JD3Y6M2P5VX8",
};

/**
 * Makes a realistic event of any type, with what you want otherwise merged into it; `undefined` takes a field away.
 *
 * All have the same `id`, so give one where a store shall tell two of them apart. It is parsed like one that arrived, so secrets are Secrets; `signedRequest` writes them back for the wire. The same
 * arguments give an equal event. Throws an EventParseError where the overrides make it no event of that type.
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
  if (!Object.hasOwn(dataSamples, type))
    throw new TypeError(`${JSON.stringify(type)} is no event type; eventTypes lists them all.`);
  const wire = merge({ ...envelope, type, data: dataSamples[type] }, overrides ?? {});
  // The schema of this very type has just read it.
  return parseEvent(wire) as WebhookEvent<Type>;
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
