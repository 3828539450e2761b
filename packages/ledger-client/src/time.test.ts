import * as z from "@fieldmesh/core/internal/zod";
import { describe, expect, test } from "vitest";
import { ago, readTime, timeInput, type TimeUnit } from "./time.ts";

const HOUR = 3_600_000;
const base = Date.parse("2026-11-20T08:30:00Z");

describe("ago", () => {
  test.each<[number, TimeUnit, string]>([
    [1, "hour", "-1 hour"],
    [3, "day", "-3 day"],
    [52, "week", "-52 week"],
    [Number.MAX_SAFE_INTEGER, "hour", "-9007199254740991 hour"],
  ])("%i %s is %j", (amount, unit, text) => {
    expect(ago(amount, unit)).toBe(text);
  });

  test.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, "3", undefined])(
    "rejects the amount %s with a RangeError",
    (amount) => {
      expect(() => ago(amount as number, "day")).toThrow(
        new RangeError("ago: the amount must be a whole number from 1 up."),
      );
    },
  );

  test.each<[unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    [5, "a number"],
    [["day"], "an array"],
  ])("rejects the unit %j with a TypeError that describes it", (unit, description) => {
    expect(() => ago(3, unit as TimeUnit)).toThrow(
      new TypeError(`ago: the unit must be a string, such as "day", not ${description}.`),
    );
  });
});

describe("readTime", () => {
  test("reads now, and each unit before the base, in milliseconds", () => {
    const times: Record<string, number> = {
      now: base,
      "-0 hour": base,
      "-1 hour": base - HOUR,
      "-2 day": base - 48 * HOUR,
      "-3 week": base - 504 * HOUR,
      "-999999999 hour": base - 999_999_999 * HOUR,
    };
    for (const [text, time] of Object.entries(times)) expect(readTime(text, base)).toBe(time);
    expect(readTime(ago(3, "day"), 0)).toBe(-72 * HOUR);
    // Exact: not by way of seconds.
    expect(readTime(ago(1, "hour"), HOUR + 1_001)).toBe(1_001);
  });

  test("reads ISO 8601 without the base, and without a zone as UTC", () => {
    for (const text of [
      "2026-11-20T08:30:00Z",
      "2026-11-20T08:30:00",
      "2026-11-20T09:30:00+01:00",
      "2026-11-20T08:30:00.000Z",
    ])
      for (const other of [0, 5, base + 1]) expect(readTime(text, other)).toBe(base);
    expect(readTime("2026-11-20", 0)).toBe(Date.parse("2026-11-20T00:00:00Z"));
    expect(readTime("1970-01-01T00:00:00Z", base)).toBe(0);
  });

  test.each([
    "",
    "Now",
    "now ",
    "yesterday",
    "3 day",
    "-3",
    "-3day",
    "-3  day",
    "-x day",
    "- day",
    "-1.5 day",
    "--3 day",
    "-3 days",
    "-3 day ago",
    "from -3 day",
    "-3 month",
    "-1000000000 hour",
    "2026-13-01T00:00:00Z",
    "20261120T080000Z",
  ])("does not read %j", (text) => {
    expect(readTime(text, base)).toBeUndefined();
  });
});

describe("a time in an input", () => {
  const RULE = 'must be a Date, an ISO 8601 string, or a relative time such as ago(3, "day")';
  const encode = (time: unknown) => z.safeEncode(timeInput, time as Date);
  const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

  test("is sent as it was written, and a Date as ISO 8601", () => {
    expect(encode(new Date(base)).data).toBe("2026-11-20T08:30:00.000Z");
    expect(encode(new Date(0)).data).toBe("1970-01-01T00:00:00.000Z");
    for (const text of [
      "now",
      "-3 day",
      " 2026-11-20 ",
      "~",
      "\u0080",
      "Monday",
      "Mon,20 Nov",
      "Invalid Dates",
      "not an Invalid Date",
      "20 Nov, Fri 2026",
      ...WEEKDAYS,
    ])
      expect(encode(text)).toEqual({ success: true, data: text });
  });

  test.each<[string, unknown]>([
    ["an empty string", ""],
    ["only spaces", "  "],
    ["a control character at the start", "\u0000now"],
    ["a line break at the end", "now\n"],
    ["the last of the low control characters", "a\u001Fb"],
    ["the delete character", "a\u007Fb"],
    ["what an invalid Date prints", "Invalid Date"],
    ["an invalid Date", new Date(Number.NaN)],
    ["a number", base],
    ["null", null],
    ["an object", {}],
    ...WEEKDAYS.flatMap((day): [string, unknown][] => [
      [`the day of ${day} as JavaScript prints it`, `${day} Nov 20 2026 08:30:00 GMT+0000`],
      [`the day of ${day} as HTTP prints it`, `${day}, 20 Nov 2026 08:30:00 GMT`],
    ]),
  ])("is rejected with the rule if it is %s", (_, time) => {
    const { error } = encode(time);
    expect(error?.issues.map(({ message }) => message)).toEqual([RULE]);
  });

  test("is read back as the same string", () => {
    expect(z.safeDecode(timeInput, "-3 day")).toEqual({ success: true, data: "-3 day" });
  });
});
