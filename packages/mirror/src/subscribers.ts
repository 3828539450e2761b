import { isRecord } from "@fieldmesh/core/internal";
import type { ObjectKey, Version } from "./version.ts";

/** A subscriber names itself, and other objects name one in a field whose name contains `subscriber`. */
export function subscribersOf({ family, id }: ObjectKey, { state }: Version): string[] {
  const ids = new Set(family === "subscriber" ? [id] : []);
  addIds(state, false, ids);
  return [...ids].sort();
}

function addIds(value: unknown, isSubscriber: boolean, ids: Set<string>): void {
  if (typeof value === "string" && isSubscriber) ids.add(value);
  if (Array.isArray(value)) for (const item of value) addIds(item, isSubscriber, ids);
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value))
    addIds(member, /subscriber/i.test(name) || (isSubscriber && name === "id"), ids);
}
