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
  if (STAMP.test(stamp.toUpperCase())) return { why: "is a time that does not exist" };
  return { why: "is not a time such as 2026-11-20T08:30:00Z or 2026-11-20" };
}

/** A day, and perhaps a time with or without a zone. Years of six digits have a sign, as `toISOString` writes them. */
const STAMP =
  /^((?:[+-]\d\d)?\d{4}-\d\d-(\d\d))(?:(T\d\d:\d\d(?::\d\d(?:\.(\d+))?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/** Reads a time like {@link readStamp}. Returns NaN for anything else. */
export function timeOfStamp(stamp: unknown): number {
  if (isDate(stamp)) return stamp.getTime();
  const parts = typeof stamp === "string" && STAMP.exec(stamp.toUpperCase());
  if (!parts) return Number.NaN;
  const [, date = "", day, time = "T00:00", fraction = "", zone = "Z"] = parts;
  // V8 reads 30 February as 2 March.
  if (new Date(date).getUTCDate() !== Number(day)) return Number.NaN;
  // The engine reads up to milliseconds.
  const milliseconds = Date.parse(date + time.slice(0, "T00:00:00.000".length) + zone);
  return milliseconds + Number(fraction.slice(3, 6).padEnd(3, "0")) / 1_000;
}

/** Converts a timestamp to a Date, which has no microseconds. Returns an Invalid Date for anything else. */
export function dateOfStamp(stamp: unknown): Date {
  return new Date(Math.floor(timeOfStamp(stamp)));
}

const SECOND = 1_000;

/**
 * Returns the milliseconds since 1970 of a timestamp: an ISO 8601 string, or seconds as a number. Returns `undefined` for a
 * timestamp that is not a date, whose `toISOString` would throw.
 */
export function millisecondsOf(stamp: unknown): number | undefined {
  return ifDate(typeof stamp === "number" ? stamp * SECOND : timeOfStamp(stamp));
}

/** The last moment that a Date supports. Its negative is the first. */
const LAST_TIME = 8.64e15;

/** Returns milliseconds since 1970, or `undefined` if no Date has them. */
export function ifDate(time: number): number | undefined {
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}
