import type { EventEnvelope } from "../events/envelope.ts";

/**
 * Returns the key of an event in a store. With a tenant, it begins with that: otherwise, a tenant could sign the id of another
 * one's event, which would then count as done.
 */
export function keyOf(tenant: string | undefined, id: string): string {
  // Encoded, so that the first slash ends the tenant, whatever an id contains.
  return tenant === undefined ? id : `${encodeURIComponent(tenant)}/${id}`;
}

/** Returns the tenant of a key, if it is one of this event. `undefined` for an event without a tenant. */
export function tenantOfKey(key: string, id: string): string | undefined {
  const end = key.length - id.length - 1;
  return end < 1 || !key.endsWith(`/${id}`) ? undefined : decodeURIComponent(key.slice(0, end));
}

/** Returns the event as an order sees it: with the tenant in its id, and in that of its object. */
export function eventOfTenant(tenant: string | undefined, event: EventEnvelope): EventEnvelope {
  const { data } = event;
  const object = { ...Object(data["object"]) } as { id?: unknown };
  if (tenant !== undefined && typeof object.id === "string" && object.id !== "")
    object.id = keyOf(tenant, object.id);
  return { ...event, id: keyOf(tenant, event.id), data: { ...data, object } };
}
