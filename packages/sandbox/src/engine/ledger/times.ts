import { DateTime } from "luxon";
import { dateOfStamp } from "@fieldmesh/core";

/** Reads a time, in milliseconds since 1970. A relative time counts back from `base`. Returns `undefined` for any other string. */
export type ReadTime = (text: string, base: number) => number | undefined;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const UNITS: Readonly<Record<string, number>> = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR };

/** How the ledger reads times. */
export const timeReaders = {
  /** `now`, `-3 days`, or any form of ISO 8601, which is UTC if it has no zone. */
  spec: (text, base) => {
    if (text === "now") return base;
    const [, amount, unit] = /^-(\d+) (second|minute|hour|day|week|month|year)s?$/.exec(text) ?? [];
    if (unit === undefined) return readIso(text);
    const time = DateTime.fromMillis(base, { zone: "utc" }).minus({ [unit]: Number(amount) });
    return time.isValid ? time.toMillis() : undefined;
  },
  /** Hours, days and weeks in the singular, or a full date, cut to the minute (observed). */
  observed: (text, base) => {
    const [, amount, unit = ""] = /^-(\d+) (hour|day|week)$/.exec(text) ?? [];
    const time =
      text === "now"
        ? base
        : amount === undefined
          ? dateOfStamp(text).getTime()
          : base - Number(amount) * (UNITS[unit] ?? 0);
    return Number.isNaN(time) ? undefined : Math.floor(time / MINUTE) * MINUTE;
  },
} as const satisfies Readonly<Record<string, ReadTime>>;

/** luxon also accepts a time without a date, and the name of a zone in brackets. */
const WITH_DATE = /^\d{4}[^[]*$/;

function readIso(text: string): number | undefined {
  if (!WITH_DATE.test(text)) return undefined;
  const time = DateTime.fromISO(text, { zone: "utc" });
  return time.isValid ? time.toMillis() : undefined;
}
