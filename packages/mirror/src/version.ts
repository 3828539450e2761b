import { type AnyRecord, isRecord, recordOf } from "@fieldmesh/core/internal";
import { isStorable } from "@fieldmesh/core/internal/database";
import type { EventEnvelope } from "@fieldmesh/webhook-types";
import {
  codesOf,
  familyOf,
  hideRepeated,
  readEventTime,
} from "@fieldmesh/webhook-types/internal/mirror";
import { splitObject } from "./split-object.ts";

/** An object in a mirror. The spec does not say that an id is unique among all kinds of objects. */
export interface ObjectKey {
  /** Empty without tenants. */
  readonly tenant: string;
  /** The part of the event types before their first dot, such as `sim`. */
  readonly family: string;
  readonly id: string;
  readonly livemode: boolean;
}

/** The state of an object, as one event shows it. */
export interface Version {
  readonly id: string;
  readonly type: string;
  /** When the event was created: ISO 8601 in UTC, with microseconds, so that strings compare like times. */
  readonly time: string;
  /** Without secrets and personal fields. */
  readonly state: AnyRecord;
  /** The personal fields that the user has named, by path. `null` if there are none. */
  readonly personal: AnyRecord | null;
  /** What the event says about the state before it. `null` if it says nothing. */
  readonly previous: Previous | null;
}

/** Writes a time in milliseconds as {@link Version.time}. A later one has a year that does not compare like a number. */
export function isoOf(time: number): string {
  const whole = Math.floor(Math.min(time, LAST_TIME));
  const microseconds = Math.round((time - whole) * 1_000);
  return new Date(whole).toISOString().replace("Z", `${String(microseconds).padStart(3, "0")}Z`);
}

const LAST_TIME = Date.UTC(9_999, 11, 31);

/** The previous values of the fields that an event has changed. */
export interface Previous {
  readonly values: AnyRecord;
  /** Whether other fields changed too, whose values are not stored. */
  readonly isPart: boolean;
}

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
  const { object, previous_attributes: before, imported: _, ...beside } = recordOf(event.data);
  const created = readEventTime(event);
  if (!isRecord(object) || !("time" in created)) return undefined;
  const { id: objectId } = object;
  if (typeof objectId !== "string" || objectId === "" || !isStorable(objectId)) return undefined;
  // With `validation: "off"`, it may be anything.
  const isLive = (event.livemode as unknown) === true;
  const { state, personal, revealed } = splitObject(type, withFields(object, beside), stored);
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

/** The fields of an event, as `fieldOf` reads them: the spec does not say of all whether they are in `data` or in its object. */
function withFields(object: AnyRecord, beside: AnyRecord): AnyRecord {
  const own = Object.entries(object).filter(([, value]) => value !== undefined);
  return { ...beside, ...Object.fromEntries(own) };
}

/** Personal values from before are not stored, even if those of today are. */
function previousOf(type: string, before: Readonly<Record<string, unknown>>): Previous {
  const { state, isPart } = splitObject(type, before, new Set());
  return { values: state, isPart };
}
