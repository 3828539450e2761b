import { isRecord, requires } from "@fieldmesh/core/internal";

/** Throws a TypeError for a value that is not an object, because every event is one. */
export function checkIsEvent(owner: string, given: unknown): void {
  if (isRecord(given)) return;
  throw requires(owner, "an event, such as the result of parseEvent", given);
}
