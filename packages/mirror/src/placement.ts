import { type AnyRecord, recordOf } from "@fieldmesh/core/internal";
import { readReassignment } from "@fieldmesh/webhook-types/internal/mirror";
import { fold } from "./fold.ts";
import type { Version } from "./version.ts";

/** What the rule of the contract about mirrors adds to the state of a SIM. */
export interface Placement {
  /** The member who uses the line. */
  readonly user_id: string | null;
  /** The subscription that a mirror should point to. */
  readonly mirrored_subscription_id: string | null;
  /** The status of that subscription, as the events of the SIM show it. */
  readonly mirrored_subscription_status: string | null;
}

/** The fields of a placement, in the order of their columns. */
export const placementFields = [
  "user_id",
  "mirrored_subscription_id",
  "mirrored_subscription_status",
] as const satisfies readonly (keyof Placement)[];

/** The fields that say where a SIM is. */
const PLACE: readonly string[] = [
  "subscriber_id",
  "holder_subscriber_id",
  "subscription_id",
  "subscription_line_id",
  "subscription_status",
];

/** The types of the events that place a SIM. */
export const placingTypes = ["sim.linked", "sim.reassigned", "sim.cleared"] as const;

export function isPlacing({ type }: Pick<Version, "type">): boolean {
  return (placingTypes as readonly string[]).includes(type);
}

/** What a row keeps of some versions, whatever their order: those of the last time, and those that decide where a SIM is. */
export function heldOf(versions: readonly Version[]): Version[] {
  const { newest, shown } = fold(versions);
  const placing = versions.filter(isPlacing);
  // What was before it has no effect on the placement.
  const start = placing
    .filter(isFreshStart)
    .reduce((last, { time }) => (time > last ? time : last), "");
  const older = new Map(
    placing
      .filter(({ time }) => time >= start && time < shown.time)
      .map((version) => [version.id, withoutRest(version)]),
  );
  const sorted = [...older.values()].sort((a, b) => (a.time + a.id < b.time + b.id ? -1 : 1));
  return [...sorted, ...newest];
}

/** Where a SIM is, by the versions that its row keeps. */
export function placementOf(held: readonly Version[]): Placement {
  const { shown } = fold(held);
  const others = inOrder(held.filter((each) => isPlacing(each) && each !== shown));
  const placed = [...others, shown].filter(isPlacing).reduce(place, START);
  if (isPlacing(shown)) return placed.placement;
  const { holder_subscriber_id: holder } = shown.state;
  return { ...goOn(placed, shown.state), ...(isText(holder) && { user_id: holder }) };
}

/** The order of versions, in which each one is the last of those up to it. */
function inOrder(versions: readonly Version[]): Version[] {
  if (versions.length === 0) return [];
  const { shown } = fold(versions);
  return [...inOrder(versions.filter((each) => each !== shown)), shown];
}

interface Placed {
  /** The values of the last event that placed the SIM. */
  readonly at: AnyRecord;
  readonly placement: Placement;
}

function place(before: Placed, version: Version): Placed {
  const at = version.type === "sim.cleared" ? NOWHERE : version.state;
  const here = placementIn(at);
  if (isFreshStart(version)) return { at, placement: here };
  const kept = goOn(before, recordOf(version.previous?.values));
  // A mirror that points to no subscription is not re-pointed.
  const placement = kept.mirrored_subscription_id === null ? here : kept;
  return { at, placement: { ...placement, user_id: here.user_id } };
}

/** Whether what was before an event has no effect on where the SIM is after it. */
function isFreshStart({ type, state, previous }: Version): boolean {
  if (type !== "sim.reassigned") return true;
  return readReassignment(state, recordOf(previous?.values)).repointTo !== undefined;
}

/** The placement of a SIM that has these values later. They count alone if they are of another place. */
function goOn({ at, placement }: Placed, values: AnyRecord): Placement {
  const shown = placementIn(values);
  if (!isSamePlace(at, values)) return shown;
  const { mirrored_subscription_id: id, mirrored_subscription_status: status } = placement;
  if (id === null) return { ...shown, user_id: placement.user_id };
  const isShown = id === shown.mirrored_subscription_id;
  const newer = isShown ? shown.mirrored_subscription_status : null;
  return { ...placement, mirrored_subscription_status: newer ?? status };
}

/**
 * Other events may name the payer or the member as the subscriber, so the subscription and its line decide, if they are known. An event
 * without a line, or with `null`, does not say that the SIM has left it: only a placing event does.
 */
function isSamePlace(at: AnyRecord, values: AnyRecord): boolean {
  const isOther = (name: string): boolean =>
    at[name] !== undefined && values[name] !== undefined && at[name] !== values[name];
  const line = "subscription_line_id";
  if (isOther("subscription_id") || (isText(values[line]) && isOther(line))) return false;
  if (isText(at["subscription_id"]) && isText(values["subscription_id"])) return true;
  const { subscriber_id: subscriber } = values;
  return (
    subscriber === undefined ||
    [at["subscriber_id"], at["holder_subscriber_id"]].includes(subscriber)
  );
}

function placementIn(values: AnyRecord): Placement {
  const textIn = (name: string): string | null => (isText(values[name]) ? values[name] : null);
  return {
    user_id: textIn("holder_subscriber_id") ?? textIn("subscriber_id"),
    mirrored_subscription_id: textIn("subscription_id"),
    mirrored_subscription_status: textIn("subscription_status"),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

const START: Placed = { at: {}, placement: placementIn({}) };

/** Where a SIM is that was released. */
const NOWHERE: AnyRecord = Object.fromEntries(PLACE.map((name) => [name, null]));

/** A version without what does not say where the SIM is. */
function withoutRest(version: Version): Version {
  const { state, previous } = version;
  return {
    ...version,
    state: placeIn(state),
    personal: null,
    previous: previous && {
      values: placeIn(previous.values),
      isPart: previous.isPart || Object.keys(previous.values).some((name) => !PLACE.includes(name)),
    },
  };
}

function placeIn(values: AnyRecord): AnyRecord {
  return Object.fromEntries(Object.entries(values).filter(([name]) => PLACE.includes(name)));
}
