import { describeValue, isRecord } from "@fieldmesh/core";

/** Throws a TypeError for a value that is not an object, because every event is one. */
export function checkIsEvent(owner: string, given: unknown): void {
  if (isRecord(given)) return;
  throw new TypeError(
    `${owner} requires an event, such as the result of parseEvent, not ${describeValue(given)}.`,
  );
}
