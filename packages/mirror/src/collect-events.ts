import { getOrInsertComputed, timeOfStamp } from "@fieldmesh/core/internal";
import { isAhead, isErasure } from "@fieldmesh/webhook-types/internal/mirror";
import { EventParseError, parseEvent } from "@fieldmesh/webhook-types/parse";
import type { StoredEvents } from "./mirror.ts";
import { isPlacing } from "./placement.ts";
import { asOf, readVersion, type ObjectKey, type Version } from "./version.ts";

export interface Listed {
  readonly key: ObjectKey;
  /** The versions of the greatest time, and those that place a SIM. */
  versions: readonly Version[];
  readonly ids: Set<string>;
  /** The time of the last erasure, if the object is a subscriber. */
  erasedAt: string | undefined;
}

export interface Collected {
  readonly objects: ReadonlyMap<string, Listed>;
  /** The objects with an event whose date is ahead, or was when it was claimed. */
  readonly wrongDates: ReadonlyMap<string, ObjectKey>;
  readonly events: number;
  readonly withoutRow: number;
  readonly notParsed: number;
}

export function textOf({ family, id, livemode }: ObjectKey): string {
  return JSON.stringify([family, id, livemode]);
}

interface Collecting {
  readonly tenant: string;
  readonly stored: ReadonlySet<string>;
  /** When events with a wrong date were first claimed, by their ids. */
  readonly firstClaims: ReadonlyMap<string, string>;
  readonly now: number;
}

/** Reads a list of stored events. Keeps the versions that a row needs. */
export async function collectEvents(
  events: StoredEvents,
  { tenant, stored, firstClaims, now }: Collecting,
): Promise<Collected> {
  const objects = new Map<string, Listed>();
  const wrongDates = new Map<string, ObjectKey>();
  const counts = { events: 0, withoutRow: 0, notParsed: 0 };
  for await (const item of events) {
    counts.events += 1;
    try {
      const event = parseEvent(item, { source: "store", validation: "off" });
      const read = readVersion(event, tenant, stored);
      if (read === undefined) {
        counts.withoutRow += 1;
        continue;
      }
      const { key, version } = asOf(firstClaims.get(event.id), read);
      const isWrong = isAhead(timeOfStamp(version.time), now);
      if (isWrong || firstClaims.has(event.id)) wrongDates.set(textOf(key), key);
      if (!isWrong) add(objects, key, version);
    } catch (error) {
      if (!(error instanceof EventParseError)) throw error;
      counts.notParsed += 1;
    }
  }
  return { objects, wrongDates, ...counts };
}

function add(objects: Map<string, Listed>, key: ObjectKey, version: Version): void {
  const listed = getOrInsertComputed(objects, textOf(key), (): Listed => ({
    key,
    versions: [],
    ids: new Set(),
    erasedAt: undefined,
  }));
  const { time } = version;
  listed.ids.add(version.id);
  if (isErasure(version) && (listed.erasedAt ?? "") < time) listed.erasedAt = time;
  const versions = [...listed.versions, version];
  const last = versions.reduce(
    (greatest, each) => (each.time > greatest ? each.time : greatest),
    "",
  );
  listed.versions = versions.filter((each) => each.time === last || isPlacing(each));
}
