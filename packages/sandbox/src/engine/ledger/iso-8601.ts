import { ifDate, timeOfStamp } from "@fieldmesh/core/internal";

/** The forms of a date that no service of ours writes: of a week, of a year, of a month, and without dashes. */
const DATE =
  /^(?<year>\d{4})(?:-?W(?<week>\d\d)(?:-?(?<weekday>[1-7]))?|-?(?<ordinal>\d{3})|-?(?<month>\d\d)(?:-?(?<day>\d\d))?)?(?=[Tt]|$)/;
const TIME =
  /^T(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?(?:Z|(?<sign>[+-]\d\d)(?::?(?<rest>\d\d))?)?$/i;
const DAY = 86_400_000;

/** Reads a date of ISO 8601 of a month, a week or a year, alone or with a time. It is UTC without a zone. Returns `undefined` for any other string. */
export function readIso(text: string): number | undefined {
  const found = DATE.exec(text);
  const day = ifDate(startOf(found?.groups ?? {}));
  if (found === null || day === undefined) return undefined;
  const date = new Date(day).toISOString().slice(0, "2026-11-20".length);
  return ifDate(timeOfStamp(date + withColons(text.slice(found[0].length))));
}

/** Writes a time of day like a service. Leaves anything else as it is. */
function withColons(time: string): string {
  const parts = TIME.exec(time)?.groups;
  if (parts === undefined) return time;
  const { hour, minute = "00", second = "00", fraction = "0", sign, rest = "00" } = parts;
  const zone = sign === undefined ? "Z" : `${sign}:${rest}`;
  return `T${hour}:${minute}:${second}.${fraction}${zone}`;
}

/** Returns the start of the day, or NaN for one that its month, week or year does not have. */
function startOf(parts: Readonly<Record<string, string | undefined>>): number {
  const { year = "", week, weekday = 1, ordinal, month = "01", day = "01" } = parts;
  if (week === undefined && ordinal === undefined) return timeOfStamp(`${year}-${month}-${day}`);
  if (ordinal !== undefined) {
    const start = timeOfStamp(`${year}-01-01`) + (Number(ordinal) - 1) * DAY;
    return yearOf(start) === Number(year) ? start : Number.NaN;
  }
  // The first week is that of 4 January, and a week belongs to the year of its Thursday.
  const fourth = timeOfStamp(`${year}-01-04`);
  const first = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
  const monday = first + (Number(week) - 1) * 7 * DAY;
  return yearOf(monday + 3 * DAY) === Number(year)
    ? monday + (Number(weekday) - 1) * DAY
    : Number.NaN;
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}
