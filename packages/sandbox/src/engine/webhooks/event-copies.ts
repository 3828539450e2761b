import { isRecord, parseJson, stringifyJson } from "@fieldmesh/core";
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

/** The types that contain an eSIM's activation code for endpoints that name the type. */
const WITH_ACTIVATION_CODE: ReadonlySet<string> = new Set([
  "sim.provisioned",
  "sim.activated",
  "sim.swapped",
]);

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

/** Returns the event in the form that may be stored and shown. */
export function storedCopy(event: StoredEvent): StoredEvent {
  const { type } = event;
  if (type === "cpni.verification.requested") return without(event, ["code"]);
  // The spec does not mention stored activation codes. They are credentials, so they are not shown.
  if (WITH_ACTIVATION_CODE.has(type)) return without(event, ["activation_code"]);
  if (type.startsWith("psim_order.")) return without(event, RECIPIENT_FIELDS);
  return event;
}

/** Returns the event for an endpoint with these patterns. Only an endpoint that names the type receives an activation code. */
export function deliveredCopy(event: StoredEvent, enabledEvents: readonly string[]): StoredEvent {
  if (!WITH_ACTIVATION_CODE.has(event.type)) return event;
  const isNamed = enabledEvents.some((pattern) => pattern !== "*" && takesIn(pattern, event.type));
  return isNamed ? event : without(event, ["activation_code"]);
}

/** Tells whether a pattern includes a type: `*`, the type itself, or its family such as `sim.*`. */
export function takesIn(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.split(".")[0] === pattern.slice(0, -2);
}

function without(event: StoredEvent, fields: readonly string[]): StoredEvent {
  const { object } = event.data;
  if (!isRecord(object)) return event;
  const rest = Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));
  return { ...event, data: { ...event.data, object: rest } };
}
