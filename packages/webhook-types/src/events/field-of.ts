import { isRecord, recordOf, requires, readInput } from "@fieldmesh/core/internal";
import { checkIsEvent } from "./is-event.ts";
import type { EventEnvelope } from "./envelope.ts";

/**
 * Reads a field of any name: from `data.object`, or else from `data`. Use it for a field that the spec names without saying where it
 * is, and for one that the spec does not name. A declared field keeps its type; another one is `unknown`.
 *
 * @example
 * ```ts
 * const leavesAt = fieldOf(event, "departs_at"); // in "subscription.line.removal_scheduled"
 * const nickname = fieldOf(event, "nickname"); // unknown
 * ```
 */
export function fieldOf<
  Event extends EventEnvelope,
  // Any string. An editor still suggests the declared names beside it.
  Name extends DeclaredName<Event> | (string & {}),
>(event: Event, name: Name): FieldOf<Event, Name> {
  if (typeof name !== "string") throw requires("fieldOf", "the name of a field", name);
  checkIsEvent("fieldOf", event);
  return readInput("The argument of fieldOf", () => {
    const data = recordOf(event.data);
    const { object } = data;
    const place = isRecord(object) && object[name] !== undefined ? object : data;
    return place[name] as FieldOf<Event, Name>;
  });
}

/** The names without an index signature, which would stand for every name. */
type NamesOf<Record> = keyof {
  [Name in keyof Record as string extends Name ? never : number extends Name ? never : Name]: true;
};

/** The names of the fields that are declared in `data.object` or in `data` of an event. */
export type DeclaredName<Event extends EventEnvelope> = Event extends {
  data: { object: infer Snapshot };
}
  ? string & (NamesOf<Snapshot> | Exclude<NamesOf<Event["data"]>, "object">)
  : never;

/** The type of a field of an event, wherever it is declared. */
export type FieldOf<Event extends EventEnvelope, Name extends string> = Event extends {
  data: { object: infer Snapshot };
}
  ? Name extends NamesOf<Snapshot>
    ? Snapshot[Name] | undefined
    : Name extends NamesOf<Event["data"]>
      ? Event["data"][Name] | undefined
      : unknown
  : unknown;
