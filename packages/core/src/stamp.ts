import { isDate } from "./realm.ts";

/**
 * Reads a time of a service, a user or a command: an ISO 8601 timestamp, or a Date. Without a zone it is UTC; `new Date` would
 * read it as local time.
 *
 * Returns the milliseconds since 1970, with a fraction for microseconds; further digits are cut. Otherwise it returns why the value
 * is not a time, for a message that begins with its name. The reason never quotes the value.
 */
export function readStamp(stamp: unknown): { readonly time: number } | { readonly why: string } {
  const time = timeOfStamp(stamp);
  if (!Number.isNaN(time)) return { time };
  if (isDate(stamp)) return { why: "is an invalid Date" };
  if (typeof stamp !== "string") return { why: "is not a string" };
  if (STAMP.test(stamp)) return { why: "is a time that does not exist" };
  return { why: "is not a time such as 2026-11-20T08:30:00Z or 2026-11-20" };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** The last moment that a Date supports. Its negative is the first. */
const LAST_TIME = 8.64e15;

/** A day, and perhaps a time with or without a zone. Years of six digits have a sign, as `toISOString` writes them. */
const STAMP =
  /^((?:[+-]\d\d)?\d{4}-\d\d-(\d\d))(?:T(\d\d)(?::?([0-5]\d)(?::?([0-5]\d|60)(?:[.,](\d+))?)?)?(?:Z|([+-][01]\d|[+-]2[0-3]):?([0-5]\d)?)?)?$/i;

/** Reads a time like {@link readStamp}. Returns NaN for anything else. */
export function timeOfStamp(stamp: unknown): number {
  if (isDate(stamp)) return stamp.getTime();
  const parts = typeof stamp === "string" ? STAMP.exec(stamp) : null;
  if (parts === null) return Number.NaN;
  const [, date = "", day, hour = 0, minute = 0, second = 0, fraction = "", ...zone] = parts;
  const [zoneHour = "+0", zoneMinute = 0] = zone;
  const midnight = Date.parse(date);
  // A leap second is the first one of the next minute, as in POSIX.
  const inDay = (Number(hour) * 60 + Number(minute)) * MINUTE + Number(second) * SECOND;
  // V8 reads 30 February as 2 March.
  if (new Date(midnight).getUTCDate() !== Number(day) || inDay > DAY) return Number.NaN;
  const offset = Number(zoneHour) * 60 + Number(`${zoneHour.slice(0, 1)}${zoneMinute}`);
  const microseconds = Number(fraction.slice(0, 6).padEnd(6, "0"));
  return ifDate(midnight + inDay - offset * MINUTE + microseconds / 1_000) ?? Number.NaN;
}

/** Converts a timestamp to a Date, which has no microseconds. Returns an Invalid Date for anything else. */
export function dateOfStamp(stamp: unknown): Date {
  return new Date(Math.floor(timeOfStamp(stamp)));
}

/**
 * Returns the milliseconds since 1970 of a timestamp: an ISO 8601 string, or seconds as a number. Returns `undefined` for a
 * timestamp that is not a date, whose `toISOString` would throw.
 */
export function millisecondsOf(stamp: unknown): number | undefined {
  return ifDate(typeof stamp === "number" ? stamp * SECOND : timeOfStamp(stamp));
}

/** Returns milliseconds since 1970, or `undefined` if no Date has them. */
export function ifDate(time: number): number | undefined {
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}
