import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dateOfStamp } from "./stamp.ts";

// A machine in UTC would read a time without a zone as it should be.
beforeEach(() => void vi.stubEnv("TZ", "Asia/Tokyo"));
afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["2026-11-20T08:30:00", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20T08:30:00.25", "2026-11-20T08:30:00.250Z"],
  ["2026-11-20T08:30", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
])("%s has no time zone and is read as UTC", (stamp, expected) => {
  expect(dateOfStamp(stamp).toISOString()).toBe(expected);
});

test.each([
  ["2026-11-20T08:30:00Z", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20T08:30:00z", "2026-11-20T08:30:00.000Z"],
  ["2026-11-20T08:30:00+01:00", "2026-11-20T07:30:00.000Z"],
  ["2026-11-20T08:30:00-0130", "2026-11-20T10:00:00.000Z"],
])("%s keeps its time zone", (stamp, expected) => {
  expect(dateOfStamp(stamp).toISOString()).toBe(expected);
});

test.each([
  "",
  "yesterday",
  "1",
  "20 Nov 2026",
  "on 2026-11-20",
  "2026-11-20 Nov",
  "2026-11-200",
  "2026-11-20x",
  "2026-11-20 08:30:00",
  "2026-13-01T00:00:00",
  "2026-11-20T25:00:00",
])("%j is not a timestamp", (stamp) => {
  expect(dateOfStamp(stamp).getTime()).toBeNaN();
});
