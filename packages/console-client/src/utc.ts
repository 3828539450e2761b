import { dateOfStamp } from "@fieldmesh/core";

/**
 * Parses a stamp of the console, such as a device's `last_connected`, as UTC.
 *
 * The console writes no zone, and `new Date(stamp)` would read it as local time. A stamp with a zone keeps it.
 * Throws a RangeError for anything else.
 *
 * @example
 * ```ts
 * parseUtc("2026-11-20T08:30:00").toISOString(); // "2026-11-20T08:30:00.000Z"
 * ```
 */
export function parseUtc(stamp: string): Date {
  const date = typeof stamp === "string" ? dateOfStamp(stamp) : undefined;
  if (date === undefined || Number.isNaN(date.getTime()))
    throw new RangeError('Not a stamp of the console; it looks like "2026-11-20T08:30:00".');
  return date;
}
