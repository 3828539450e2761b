import { isRecord, recordOf, requires } from "@fieldmesh/core/internal";

/** Returns true for a value that can be an event, whichever parser has created it. */
export function isEvent(value: unknown): boolean {
  try {
    const { id, type } = recordOf(value);
    return typeof id === "string" && id !== "" && typeof type === "string";
  } catch {
    // A getter or a proxy throws.
    return false;
  }
}

/** Throws a TypeError for a value that is not an object, because every event is one. */
export function checkIsEvent(owner: string, given: unknown): void {
  if (isRecord(given)) return;
  throw requires(owner, "an event, such as the result of parseEvent", given);
}
