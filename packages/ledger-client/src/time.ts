import * as z from "zod/mini";

/** A unit of relative time, as the ledger writes it: singular. */
export type TimeUnit = "hour" | "day" | "week";

/** A time before now, such as `-3 day`; {@link ago} writes it. */
export type RelativeTime = `-${number} ${TimeUnit}`;

/** A time that the ledger accepts: a Date, an ISO 8601 string, `now`, or the result of {@link ago}. */
export type LedgerTime = Date | string;

/**
 * Formats a time before now for the ledger; "now" is the time of the server.
 *
 * Throws a RangeError unless the amount is a whole number from 1 up. The units are those of running deployments; the
 * published spec says only "a minus sign, a number and a unit".
 *
 * @example
 * ```ts
 * const rewards = client.accounts.rewards({ address, min_time: ago(3, "day") });
 * ```
 */
export function ago(amount: number, unit: TimeUnit): RelativeTime {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw new RangeError("ago: the amount must be a whole number from 1 up.");
  return `-${amount} ${unit}`;
}

const RULE = 'must be a Date, ISO 8601 text, "now", or ago(3, "day")';
const RELATIVE = /^(now|-\d+ (hour|day|week))$/;
const ISO = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]);

/** A time that is sent. The ledger cuts it to the minute (not in the published spec; running deployments do it). */
export const timeInput = z.codec(
  z.string().check(z.refine((text) => RELATIVE.test(text) || ISO.safeParse(text).success, RULE)),
  z.custom<LedgerTime>(isTextOrDate, RULE),
  {
    decode: (text) => text,
    encode: (time) => (time instanceof Date ? time.toISOString() : time),
  },
);

function isTextOrDate(value: unknown): boolean {
  return value instanceof Date ? !Number.isNaN(value.getTime()) : typeof value === "string";
}
