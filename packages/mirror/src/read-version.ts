import { isRecord, recordOf } from "@fieldmesh/core/internal";
import { isStorable } from "@fieldmesh/core/internal/database";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import {
  codesOf,
  familyOf,
  hideRepeated,
  readEventTime,
} from "@fieldmesh/webhook-types/internal/mirror";
import { splitObject } from "./split-object.ts";
import { isoOf, type ObjectKey, type Previous, type Version } from "./version.ts";

export interface KeyedVersion {
  readonly key: ObjectKey;
  readonly version: Version;
}

/** Returns what was read as of the first claim of its event, if its date was wrong. */
export function asOf(first: unknown, { key, version }: KeyedVersion): KeyedVersion {
  return { key, version: typeof first === "string" ? { ...version, time: first } : version };
}

/** Reads what a mirror stores of a parsed event. Returns `undefined` for an object without an id to store, and an event without a time. */
export function readVersion(
  event: EventEnvelope,
  tenant: string,
  stored: ReadonlySet<string>,
): KeyedVersion | undefined {
  const { id, type } = event;
  const { object, previous_attributes: before } = recordOf(event.data);
  const created = readEventTime(event);
  if (!isRecord(object) || !("time" in created)) return undefined;
  const { id: objectId } = object;
  if (typeof objectId !== "string" || objectId === "" || !isStorable(objectId)) return undefined;
  // With `validation: "off"`, it may be anything.
  const isLive = (event.livemode as unknown) === true;
  const { state, personal, revealed } = splitObject(type, object, stored);
  const codes = codesOf(event).filter((code) => !revealed.includes(code));
  const hide = <T>(value: T): T => hideRepeated(value, codes) as T;
  return {
    key: { tenant, family: familyOf(type), id: objectId, livemode: isLive },
    version: {
      id,
      type,
      time: isoOf(created.time),
      state: hide(state),
      personal: Object.keys(personal).length > 0 ? hide(personal) : null,
      previous: isRecord(before) ? hide(previousOf(type, before)) : null,
    },
  };
}

/** Personal values from before are not stored, even if those of today are. */
function previousOf(type: string, before: Readonly<Record<string, unknown>>): Previous {
  const { state, isPart } = splitObject(type, before, new Set());
  return { values: state, isPart };
}
