import { dateOfStamp } from "@fieldmesh/core";

/**
 * Reads a stamp of the console, such as a device's `last_connected`, as the UTC time that it is.
 *
 * The console writes no zone, and `new Date(stamp)` would take it for local time. A stamp that has a zone keeps it.
 * Throws a RangeError for text that is no stamp.
 *
 * @example
 * ```ts
 * parseUtc("2026-11-20T08:30:00").toISOString(); // "2026-11-20T08:30:00.000Z"
 * ```
 */
export function parseUtc(stamp: string): Date {
  const date = dateOfStamp(stamp);
  if (Number.isNaN(date.getTime()))
    throw new RangeError('Not a stamp of the console; it looks like "2026-11-20T08:30:00".');
  return date;
}
