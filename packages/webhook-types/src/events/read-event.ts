import { describeValue, guardInput, isRecord } from "@fieldmesh/core";

/** Runs what reads an event; throws a TypeError for what is no event, or cannot be read. */
export function readEvent<T>(owner: string, event: unknown, read: () => T): T {
  return guardInput(`What ${owner} got`, event, () => {
    if (!isRecord(event))
      throw new TypeError(
        `${owner} takes an event, such as parseEvent returns, and not ${describeValue(event)}.`,
      );
    return read();
  });
}
