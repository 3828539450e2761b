import { describeValue, ifDate, isDate, millisecondsOf, mistake } from "@fieldmesh/core/internal";
import type { PartsByTime } from "@fieldmesh/http/internal";
import * as z from "@fieldmesh/core/internal/zod";

/** A unit of relative time, in the singular (observed). */
export type TimeUnit = "hour" | "day" | "week";

/** A time before now, such as `-3 day`. {@link ago} creates it. */
export type RelativeTime = `-${number} ${TimeUnit}`;

/**
 * A time in an input: a Date, an ISO 8601 string, or a relative time from {@link ago}. A string is sent unchanged.
 *
 * `now` is also accepted, and the ledger truncates times to the minute (observed).
 */
export type LedgerTime = Date | string;

/**
 * Formats a time before now for the ledger. "Now" is the time of the server.
 *
 * Throws a RangeError unless the amount is a positive integer. The published spec says "a minus sign, a number and a unit".
 * The units, and the space before them, are (observed).
 *
 * @example
 * ```ts
 * const rewards = client.accounts.rewards({ address, min_time: ago(3, "day") });
 * ```
 */
export function ago(amount: number, unit: TimeUnit): RelativeTime {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw new RangeError("ago: the amount must be a whole number from 1 up.");
  if (typeof unit !== "string")
    throw mistake(`ago: the unit must be a string, such as "day", not ${describeValue(unit)}.`);
  return `-${amount} ${unit}`;
}

const RULE = 'must be a Date, an ISO 8601 string, or a relative time such as ago(3, "day")';

/** The formats of `String(date)` and `date.toUTCString()`, which the ledger does not read. */
const WRITTEN_DATE = /^(Invalid Date$|[A-Z][a-z]{2},? )/;

/** A time in an input. A string is sent unchanged, because the spec does not state every format that the ledger reads. */
export const timeInput = z.codec(
  z.string().check(z.refine(mayBeTime, RULE)),
  z.custom<LedgerTime>(isTextOrDate, RULE),
  {
    decode: (text) => text,
    encode: (time) => (isDate(time) ? time.toISOString() : time),
  },
);

function mayBeTime(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the expression searches for control characters
  return text.trim() !== "" && !/[\u0000-\u001f\u007f]/.test(text) && !WRITTEN_DATE.test(text);
}

function isTextOrDate(value: unknown): boolean {
  return isDate(value) ? !Number.isNaN(value.getTime()) : typeof value === "string";
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<TimeUnit, number>> = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR };

/**
 * Reads a time like the ledger, in milliseconds since 1970: `now`, a relative time before `base`, or ISO 8601. Returns `undefined` if
 * it is not a date.
 */
export const readTime: PartsByTime["readTime"] = (text, base) => {
  if (text === "now") return base;
  const relative = /^-(\d{1,9}) (hour|day|week)$/.exec(text);
  if (relative === null) return millisecondsOf(text);
  return ifDate(base - Number(relative[1]) * UNITS[relative[2] as TimeUnit]);
};
