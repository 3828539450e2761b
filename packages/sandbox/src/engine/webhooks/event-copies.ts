import { isRecord, parseJson, stringifyJson } from "@fieldmesh/core";
import { withoutPersonalData } from "../mobile/roles.ts";

/** An event as the service keeps it, and as `GET /events` would show it. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly livemode: boolean;
  readonly data: { readonly [field: string]: unknown };
  readonly idempotency_key: string;
}

/** The types that carry an eSIM's install string to those who name them. */
const WITH_ACTIVATION_CODE: ReadonlySet<string> = new Set([
  "sim.provisioned",
  "sim.activated",
  "sim.swapped",
]);

/** What is in an order's event only while it is delivered. */
const RECIPIENT_FIELDS = ["email", "shipping_address"];

/** Writes data as they are on the wire, and removes from a subscriber's what its events never say. */
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

/** The event as it may be kept and shown. */
export function storedCopy(event: StoredEvent): StoredEvent {
  const { type } = event;
  if (type === "cpni.verification.requested") return without(event, ["code"]);
  // The spec says nothing of stored install strings; they are credentials, so they are not shown.
  if (WITH_ACTIVATION_CODE.has(type)) return without(event, ["activation_code"]);
  if (type.startsWith("psim_order.")) return without(event, RECIPIENT_FIELDS);
  return event;
}

/** The event as an endpoint with these patterns gets it: an install string only goes to those who named its type. */
export function deliveredCopy(event: StoredEvent, enabledEvents: readonly string[]): StoredEvent {
  if (!WITH_ACTIVATION_CODE.has(event.type)) return event;
  const isNamed = enabledEvents.some((pattern) => pattern !== "*" && takesIn(pattern, event.type));
  return isNamed ? event : without(event, ["activation_code"]);
}

/** Whether a pattern takes in a type: `*`, the type itself, or its family such as `sim.*`. */
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
