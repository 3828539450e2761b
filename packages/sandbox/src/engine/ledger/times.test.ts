import { describe, expect, test } from "vitest";
import { timeReaders } from "./times.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");
const read = (kind: keyof typeof timeReaders, text: string): string | undefined => {
  const time = timeReaders[kind](text, NOW);
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe("the ledger of the spec reads", () => {
  test.each([
    ["now", "2026-11-20T08:00:00.000Z"],
    ["2026-11-20", "2026-11-20T00:00:00.000Z"],
    ["20261120", "2026-11-20T00:00:00.000Z"],
    ["2026-11", "2026-11-01T00:00:00.000Z"],
    ["2026", "2026-01-01T00:00:00.000Z"],
    ["2026-W47", "2026-11-16T00:00:00.000Z"],
    ["2026-W47-5", "2026-11-20T00:00:00.000Z"],
    ["2026-324", "2026-11-20T00:00:00.000Z"],
    ["2026-11-20T07", "2026-11-20T07:00:00.000Z"],
    ["2026-11-20T07:30", "2026-11-20T07:30:00.000Z"],
    ["20261120T073015Z", "2026-11-20T07:30:15.000Z"],
    ["2026-11-20T07:30:15.25", "2026-11-20T07:30:15.250Z"],
    ["2026-11-20T07:30:15,25Z", "2026-11-20T07:30:15.250Z"],
    ["2026-11-20T07:30:15.123456789Z", "2026-11-20T07:30:15.123Z"],
    ["2026-W47-5T07:30Z", "2026-11-20T07:30:00.000Z"],
    ["2026324T0730Z", "2026-11-20T07:30:00.000Z"],
    ["2026-11-20T07:30z", "2026-11-20T07:30:00.000Z"],
    ["2026-11-20T07:30+05", "2026-11-20T02:30:00.000Z"],
    ["2026-11-20T07:30-0530", "2026-11-20T13:00:00.000Z"],
    ["2026-11-20T07:30+05:30", "2026-11-20T02:00:00.000Z"],
    ["-90 minutes", "2026-11-20T06:30:00.000Z"],
    ["-1 days", "2026-11-19T08:00:00.000Z"],
    ["-2 weeks", "2026-11-06T08:00:00.000Z"],
    ["-9 months", "2026-02-20T08:00:00.000Z"],
    ["-1 year", "2025-11-20T08:00:00.000Z"],
  ])("%s as %s", (text, time) => expect(read("spec", text)).toBe(time));
});

test.each([
  "",
  "yesterday",
  "08:30",
  "2026-13",
  "2026-02-29",
  "2026-W54",
  "2026-366",
  "2026-11-20T25:00",
  "2026-11-20T08:30:00ZZ",
  "2026-11-20T08:30[Europe/Paris]",
  "1",
  "-1  day",
  "-1 decade",
  "1 day",
  "+1 day",
  "-99999999999999 years",
])("the ledger of the spec does not read %j", (text) => expect(read("spec", text)).toBeUndefined());

test.each([
  ["2026-11-20T07:30:45Z", "2026-11-20T07:30:00.000Z"],
  ["now", "2026-11-20T08:00:00.000Z"],
  ["-1 week", "2026-11-13T08:00:00.000Z"],
  ["-1 weeks", undefined],
  ["-30 minute", undefined],
  ["20261120", undefined],
  ["2026-W47", undefined],
])("a hosted ledger reads %s as %s", (text, time) => expect(read("observed", text)).toBe(time));
