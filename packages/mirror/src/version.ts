import type { AnyRecord } from "@fieldmesh/core/internal";

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
