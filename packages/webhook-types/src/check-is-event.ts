import { describeValue, isRecord } from "@fieldmesh/core";

/** Throws a TypeError for what is not an object, as every event is. */
export function checkIsEvent(owner: string, given: unknown): void {
  if (isRecord(given)) return;
  throw new TypeError(
    `${owner} reads an event, such as parseEvent returns, and not ${describeValue(given)}.`,
  );
}
