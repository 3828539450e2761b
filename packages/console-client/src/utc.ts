import { dateOfStamp } from "@fieldmesh/core/internal";

/**
 * Parses a timestamp of the console, such as `last_connected` of a device, as UTC.
 *
 * The console writes no time zone, so `new Date(stamp)` would read it as local time. A timestamp with a zone keeps it. Throws
 * a RangeError for any other string.
 *
 * @example
 * ```ts
 * parseUtc("2026-11-20T08:30:00").toISOString(); // "2026-11-20T08:30:00.000Z"
 * ```
 */
export function parseUtc(stamp: string): Date {
  const date = dateOfStamp(typeof stamp === "string" ? stamp : undefined);
  if (Number.isNaN(date.getTime()))
    throw new RangeError(
      'Not a timestamp of the console. Expected a form like "2026-11-20T08:30:00".',
    );
  return date;
}
