import { readStamp } from "@fieldmesh/core/internal";

/** Tells whether a field holds a time, by its name, as the services write them. */
export function isTimeName(name: string): boolean {
  return NAMED.test(name);
}

const NAMED = /(?:^|_)(?:at|time|timestamp|connected|until)$/;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Beyond a week, a date says more. */
const WEEK = 7 * DAY;
const DATE_LENGTH = "2026-11-20".length;

/** Says how long ago a time of a field is, such as `2 min ago`; `never` for null; `undefined` if the field holds no time. */
export function sayTime(name: string, value: unknown, now: number): string | undefined {
  if (!isTimeName(name)) return undefined;
  if (value === null) return "never";
  const time = timeOf(value);
  // The console has 1970 for a device that never connected (observed).
  if (time === 0) return "never";
  return time === undefined ? undefined : sayAgo(time, now);
}

function sayAgo(time: number, now: number): string {
  const distance = Math.abs(now - time);
  if (distance >= WEEK) return new Date(time).toISOString().slice(0, DATE_LENGTH);
  const length = sayLength(distance);
  return time > now ? `in ${length}` : `${length} ago`;
}

function sayLength(distance: number): string {
  if (distance < MINUTE) return `${Math.floor(distance / SECOND)} s`;
  if (distance < HOUR) return `${Math.floor(distance / MINUTE)} min`;
  if (distance < DAY) return `${Math.floor(distance / HOUR)} h`;
  const days = Math.floor(distance / DAY);
  return days === 1 ? "1 day" : `${days} days`;
}

/** Seconds, milliseconds or nanoseconds since 1970, by their number of digits: all of this century. */
const UNITS = new Map([
  [10, SECOND],
  [13, 1],
  [19, 1e-6],
]);

function timeOf(value: unknown): number | undefined {
  const digits = /^\d+$/.test(String(value)) ? String(value) : undefined;
  if (digits !== undefined) {
    const unit = UNITS.get(digits.length);
    return unit === undefined ? undefined : Number(digits) * unit;
  }
  const read = readStamp(value);
  return "time" in read ? read.time : undefined;
}
