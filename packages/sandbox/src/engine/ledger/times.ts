import { timeOfStamp } from "@fieldmesh/core/internal";
import { readIso } from "./iso-8601.ts";

/** Reads a time, in milliseconds since 1970. A relative time counts back from `base`. Returns `undefined` for any other string. */
export type ReadTime = (text: string, base: number) => number | undefined;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: Readonly<Record<string, number>> = { hour: HOUR, day: DAY, week: 7 * DAY };
const ALL_UNITS: Readonly<Record<string, number>> = { second: 1000, minute: MINUTE, ...UNITS };

export const timeReaders = {
  /** `now`, `-3 days`, or any form of ISO 8601, which is UTC if it has no zone. */
  spec: (text, base) => {
    if (text === "now") return base;
    const [, amount, unit] = /^-(\d+) (second|minute|hour|day|week|month|year)s?$/.exec(text) ?? [];
    if (unit === undefined) return readIso(text);
    const ms = ALL_UNITS[unit];
    const time =
      ms === undefined
        ? monthsBefore(base, Number(amount) * (unit === "year" ? 12 : 1))
        : new Date(base - Number(amount) * ms).getTime();
    return Number.isNaN(time) ? undefined : time;
  },
  /** Hours, days and weeks in the singular, or a full date, cut to the minute (observed). */
  observed: (text, base) => {
    const [, amount, unit = ""] = /^-(\d+) (hour|day|week)$/.exec(text) ?? [];
    const time =
      text === "now"
        ? base
        : amount === undefined
          ? timeOfStamp(text)
          : base - Number(amount) * (UNITS[unit] ?? 0);
    return Number.isNaN(time) ? undefined : Math.floor(time / MINUTE) * MINUTE;
  },
} as const satisfies Readonly<Record<string, ReadTime>>;

/** A month before the 31st may be shorter: its last day is taken. */
function monthsBefore(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.getUTCDate() === day ? date.getTime() : date.setUTCDate(0);
}
