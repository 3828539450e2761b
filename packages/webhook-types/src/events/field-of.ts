import { isRecord } from "@fieldmesh/core";
import type { EventEnvelope } from "./envelope.ts";

/**
 * Reads a field that the spec names without a place: from `data.object`, or else from `data`.
 *
 * @example
 * ```ts
 * const leavesAt = fieldOf(event, "departs_at"); // of a "subscription.line.removal_scheduled"
 * ```
 */
export function fieldOf<
  Event extends EventEnvelope & { data: { object: object } },
  Name extends string & keyof Event["data"]["object"] & keyof Event["data"],
>({ data }: Event, name: Name): Event["data"]["object"][Name] | undefined {
  const { object } = data as { object: unknown };
  const place = isRecord(object) && object[name] !== undefined ? object : data;
  return place[name] as Event["data"]["object"][Name] | undefined;
}
