import { getOrInsertComputed } from "@fieldmesh/core/internal";
import { EventParseError } from "../parse/event-parse-error.ts";
import { parseEvent } from "../parse/parse-event.ts";
import type { StoredEvents } from "./mirror.ts";
import { readVersion } from "./read-version.ts";
import { isErasure, type ObjectKey, type Version } from "./version.ts";

export interface Listed {
  readonly key: ObjectKey;
  /** The versions of the greatest time. */
  newest: readonly Version[];
  readonly ids: Set<string>;
  /** The time of the last erasure, if the object is a subscriber. */
  erasedAt: string | undefined;
}

export interface Collected {
  readonly objects: ReadonlyMap<string, Listed>;
  readonly events: number;
  readonly withoutRow: number;
  readonly notParsed: number;
}

export function textOf({ family, id, livemode }: ObjectKey): string {
  return JSON.stringify([family, id, livemode]);
}

/** Reads a list of stored events. Keeps the newest versions only. */
export async function collectEvents(
  events: StoredEvents,
  tenant: string,
  stored: ReadonlySet<string>,
): Promise<Collected> {
  const objects = new Map<string, Listed>();
  const counts = { events: 0, withoutRow: 0, notParsed: 0 };
  for await (const item of events) {
    counts.events += 1;
    try {
      const event = parseEvent(item, { source: "store", validation: "off" });
      const read = readVersion(event, tenant, stored);
      if (read === undefined) counts.withoutRow += 1;
      else add(objects, read.key, read.version);
    } catch (error) {
      if (!(error instanceof EventParseError)) throw error;
      counts.notParsed += 1;
    }
  }
  return { objects, ...counts };
}

function add(objects: Map<string, Listed>, key: ObjectKey, version: Version): void {
  const listed = getOrInsertComputed(objects, textOf(key), (): Listed => ({
    key,
    newest: [],
    ids: new Set(),
    erasedAt: undefined,
  }));
  const { time } = version;
  listed.ids.add(version.id);
  if (isErasure(version) && (listed.erasedAt ?? "") < time) listed.erasedAt = time;
  const newestTime = listed.newest[0]?.time ?? "";
  if (time > newestTime) listed.newest = [version];
  else if (time === newestTime) listed.newest = [...listed.newest, version];
}
