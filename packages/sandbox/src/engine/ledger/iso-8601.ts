// Our own code, because the libraries that read all these forms need Intl or the zone of the machine, and pages load the engine.

const DATE =
  /(?<year>\d{4})(?:-?W(?<week>\d\d)(?:-?(?<weekday>[1-7]))?|-?(?<ordinal>\d{3})|-?(?<month>\d\d)(?:-?(?<day>\d\d))?)?/;
const TIME =
  /(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<fraction>\d{1,30}))?)?)?/;
const ZONE = /[Zz]|(?<sign>[+-])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?/;
const ISO = new RegExp(`^${DATE.source}(?:[Tt]${TIME.source}(?:${ZONE.source})?)?$`);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Reads a date of ISO 8601 of a month, a week or a year, alone or with a time. It is UTC without a zone. Returns `undefined` for any other string. */
export function readIso(text: string): number | undefined {
  const parts = ISO.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const day = dayOf(parts);
  const time = timeOf(parts);
  return day === undefined || time === undefined ? undefined : day + time - offsetOf(parts);
}

type Parts = Readonly<Record<string, string | undefined>>;

/** Returns the start of the day. A day that its month, week or year does not have is none. */
function dayOf(parts: Parts): number | undefined {
  const { week, ordinal, weekday = 1, month = 1, day = 1 } = parts;
  const year = Number(parts["year"]);
  if (week !== undefined) {
    const monday = firstMonday(year) + (Number(week) - 1) * 7 * DAY;
    const isOfYear = monday >= firstMonday(year) && monday < firstMonday(year + 1);
    return isOfYear ? monday + (Number(weekday) - 1) * DAY : undefined;
  }
  const isOrdinal = ordinal !== undefined;
  const date = isOrdinal ? utc(year, 1, Number(ordinal)) : utc(year, Number(month), Number(day));
  const isSame = isOrdinal
    ? date.getUTCFullYear() === year
    : date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  return isSame ? date.getTime() : undefined;
}

/** Returns the start of the first week, which is the one of 4 January. */
function firstMonday(year: number): number {
  const date = utc(year, 1, 4);
  return date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY;
}

/** `Date.UTC` reads the years before 100 as 1900 and later. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

/** Returns the milliseconds since midnight. A day may end at 24:00. */
function timeOf(parts: Parts): number | undefined {
  const { hour = "0", minute = "0", second = "0", fraction = "" } = parts;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const time = (hours * 60 + minutes) * MINUTE + seconds * 1000 + ms;
  return minutes < 60 && seconds < 60 && time <= DAY ? time : undefined;
}

function offsetOf({ sign, zoneHour = "0", zoneMinute = "0" }: Parts): number {
  return (sign === "-" ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute)) * MINUTE;
}
