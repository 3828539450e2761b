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
  /** When the event was created: ISO 8601 in UTC, with milliseconds, so that strings compare like times. */
  readonly time: string;
  /** Without secrets and personal fields. */
  readonly state: AnyRecord;
  /** The personal fields that the user has named, by path. `null` if there are none. */
  readonly personal: AnyRecord | null;
  /** What the event says about the state before it. `null` if it says nothing. */
  readonly previous: Previous | null;
}

/** The previous values of the fields that an event has changed. */
export interface Previous {
  readonly values: AnyRecord;
  /** Whether other fields changed too, whose values are not stored. */
  readonly isPart: boolean;
}

const DELETIONS: ReadonlySet<string> = new Set([
  "subscriber.deleted",
  "plan.deleted",
  "addon.deleted",
]);

export function isDeletion({ type }: Version): boolean {
  return DELETIONS.has(type);
}

/** Whether an event clears the personal fields of its subscriber. */
export function isErasure({ type }: Version): boolean {
  return type === "subscriber.redacted" || type === "subscriber.deleted";
}
