import { describe, expect, test } from "vitest";
import { ago, readTime } from "./time.ts";

const HOUR = 3_600_000;
const base = Date.parse("2026-11-20T08:30:00Z");

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
