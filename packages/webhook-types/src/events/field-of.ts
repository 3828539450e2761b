import { describeValue, guardInput, isRecord, recordOf } from "@fieldmesh/core";
import { checkIsEvent } from "./check-is-event.ts";
import type { EventEnvelope } from "./envelope.ts";

/**
 * Reads a field that the spec names without saying where it is: from `data.object`, or else from `data`.
 *
 * @example
 * ```ts
 * const leavesAt = fieldOf(event, "departs_at"); // in "subscription.line.removal_scheduled"
 * ```
 */
export function fieldOf<
  Event extends EventEnvelope & { data: { object: object } },
  Name extends string & keyof Event["data"]["object"] & keyof Event["data"],
>(event: Event, name: Name): Event["data"]["object"][Name] | undefined {
  if (typeof name !== "string")
    throw new TypeError(`fieldOf requires the name of a field, not ${describeValue(name)}.`);
  checkIsEvent("fieldOf", event);
  return guardInput("The argument of fieldOf", event, () => {
    const data = recordOf(event.data);
    const { object } = data;
    const place = isRecord(object) && object[name] !== undefined ? object : data;
    return place[name] as Event["data"]["object"][Name] | undefined;
  });
}
