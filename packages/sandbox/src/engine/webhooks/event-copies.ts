import { isRecord, parseJson, stringifyJson } from "@fieldmesh/core/internal";
import { secretFields } from "@fieldmesh/webhook-types/internal";
import type { EndpointRecord } from "./endpoint.ts";
import { withoutPersonalData } from "./roles.ts";

/** An event as the service stores it, and as `GET /events` shows it. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly livemode: boolean;
  readonly data: { readonly [field: string]: unknown };
  readonly idempotency_key: string;
}

/** By type: what its schema marks as secret. */
const SECRETS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(secretFields));

/** The secret that only endpoints receive that name the type. */
const ACTIVATION_CODE = "activation_code";

/** The fields of an order's event that exist only while it is delivered. */
const RECIPIENT_FIELDS = ["email", "shipping_address"];

/** Converts data to wire format, and removes fields that the events of a subscriber never contain. */
export function wireData(type: string, data: object): StoredEvent["data"] {
  const wire = parseJson(stringifyJson(data, { reveal: true })) as StoredEvent["data"];
  if (!type.startsWith("subscriber.")) return wire;
  const blank = (value: unknown, more: object): object =>
    isRecord(value) ? { ...withoutPersonalData(value), ...more } : {};
  const { object, previous_attributes: before } = wire;
  return {
    ...wire,
    object: blank(object, { email: null, phone: null, date_of_birth: null, pii_redacted: true }),
    ...(before !== undefined && { previous_attributes: blank(before, {}) }),
  };
}

/** Returns the event as it may be stored and shown. Activation codes are credentials, so they are not shown. */
export function storedCopy(event: StoredEvent): StoredEvent {
  const { type } = event;
  const hidden = [
    ...(SECRETS.get(type) ?? []),
    ...(type.startsWith("psim_order.") ? RECIPIENT_FIELDS : []),
  ];
  return hidden.length === 0 ? event : without(event, hidden);
}

/** Returns the event for an endpoint with these patterns. Only an endpoint that names the type receives an activation code. */
export function deliveredCopy(event: StoredEvent, enabledEvents: readonly string[]): StoredEvent {
  if (SECRETS.get(event.type)?.includes(ACTIVATION_CODE) !== true) return event;
  const isNamed = enabledEvents.some((pattern) => pattern !== "*" && takesIn(pattern, event.type));
  return isNamed ? event : without(event, [ACTIVATION_CODE]);
}

/** Tells whether a pattern includes a type: `*`, the type itself, or whole parts at its beginning, such as `cpni.verification.*`. */
function takesIn(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1));
}

/** Removes the fields at any depth: the previous values of a SIM may have them too. */
function without(event: StoredEvent, fields: readonly string[]): StoredEvent {
  return { ...event, data: withoutFields(event.data, fields) as StoredEvent["data"] };
}

function withoutFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, fields));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !fields.includes(key))
      .map(([key, child]) => [key, withoutFields(child, fields)]),
  );
}

/** Tells whether an endpoint receives the events of a type. */
export function receives(
  { enabled_events, livemode }: Pick<EndpointRecord, "enabled_events" | "livemode">,
  event: Pick<StoredEvent, "type" | "livemode">,
): boolean {
  return (
    livemode === event.livemode && enabled_events.some((pattern) => takesIn(pattern, event.type))
  );
}
