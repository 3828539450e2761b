import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dateOfStamp, millisecondsOf, readStamp, timeOfStamp } from "./stamp.ts";

// A machine in UTC would read a time without a zone as it should be.
beforeEach(() => void vi.stubEnv("TZ", "Asia/Tokyo"));
afterEach(() => void vi.unstubAllEnvs());

test.each([
  // Without a zone.
  ["2026-11-20T08:30:00", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20T08:30", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  // With one.
  ["2026-11-20T08:30:00Z", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20t08:30:00z", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20T08:30:00+01:00", "2026-11-20T07:30:00.000Z"],
  ["2026-11-20T08:30:00-0130", "2026-11-20T10:00:00.000Z"],
  // At the borders of days and years.
  ["2026-11-20T24:00:00Z", "2026-11-21T00:00:00.000Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ["+012026-11-20T08:30:00Z", "+012026-11-20T08:30:00.000Z"],
  // With more digits than a Date has.
  ["2026-11-20T08:30:00.123999Z", "2026-11-20T08:30:00.123Z"],
  ["1969-12-31T23:59:59.9995Z", "1969-12-31T23:59:59.999Z"],
])("%s is %s", (stamp, expected) => {
  expect(dateOfStamp(stamp).toISOString()).toBe(expected);
});

test("microseconds count, and further digits do not", () => {
  const read = (fraction: string) => timeOfStamp(`2026-11-20T08:30:00.${fraction}Z`);
  const at = Date.UTC(2026, 10, 20, 8, 30);
  expect(read("1231")).toBe(at + 123.1);
  expect(read("123456")).toBe(at + 123.456);
  expect(read("1234569")).toBe(at + 123.456);
  expect(read("1231")).toBeLessThan(read("1239"));
  expect(read("000001")).toBeGreaterThan(read("0"));
  expect(read("9".repeat(10_000))).toBe(at + 999.999);
});

const FORM = "is not a time such as 2026-11-20T08:30:00Z or 2026-11-20";
const NONE = "is a time that does not exist";
test.each([
  ["", FORM],
  ["yesterday", FORM],
  ["20 Nov 2026", FORM],
  ["2026-11-20Z", FORM],
  ["2026-11-20 08:30:00", FORM],
  ["2026-11-20T08:30:00.Z", FORM],
  ["2026-11-20T08:30.5", FORM],
  ["2026-11-20T08:30:00,5Z", FORM],
  ["2026-W47-5", FORM],
  ["20261120T083000Z", FORM],
  [" 2026-11-20", FORM],
  ["2026-13-01T00:00:00", NONE],
  ["2026-02-29", NONE],
  ["2026-02-30T00:00:00Z", NONE],
  ["2026-11-20T25:00:00", NONE],
  ["2026-11-20T24:01:00", NONE],
  ["2016-12-31T23:59:60Z", NONE],
  ["+275760-09-13T00:00:01Z", NONE],
  [undefined, "is not a string"],
  [null, "is not a string"],
  [1_700_000_000, "is not a string"],
  [["2026-11-20"], "is not a string"],
  [new Date(Number.NaN), "is an invalid Date"],
])("%j is not a timestamp: it %s", (stamp, why) => {
  expect(readStamp(stamp)).toEqual({ why });
  expect(timeOfStamp(stamp)).toBeNaN();
  expect(dateOfStamp(stamp).getTime()).toBeNaN();
  if (typeof stamp !== "number") expect(millisecondsOf(stamp)).toBeUndefined();
});

test.each([
  ["of this realm", new Date(1.5e12)],
  ["of another realm", runInNewContext("new Date(1.5e12)") as Date],
  ["that was cloned", structuredClone(new Date(1.5e12))],
])("a Date %s is read", (_, date) => {
  expect(readStamp(date)).toEqual({ time: 1.5e12 });
});

test("a number of a service is in seconds", () => {
  expect(millisecondsOf(1_700_000_000)).toBe(1_700_000_000_000);
  expect(millisecondsOf(8.64e13)).toBeUndefined();
});
