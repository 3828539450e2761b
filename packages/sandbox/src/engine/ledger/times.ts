import { dateOfStamp } from "@fieldmesh/core";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const UNITS: Readonly<Record<string, number>> = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR };

/** Reads a time as the ledger does: `now`, `-3 day` before `base`, or ISO 8601; cut to the minute. */
export function readTime(text: string, base: number): number | undefined {
  const [, amount, unit = ""] = /^-(\d+) (hour|day|week)$/.exec(text) ?? [];
  const time =
    text === "now"
      ? base
      : amount === undefined
        ? dateOfStamp(text).getTime()
        : base - Number(amount) * (UNITS[unit] ?? 0);
  return Number.isNaN(time) ? undefined : Math.floor(time / MINUTE) * MINUTE;
}
