import { expect, test } from "vitest";
import { sumUp, type JsonReport } from "./test-summary.ts";

const passed: JsonReport = {
  numPassedTests: 2,
  numFailedTests: 0,
  numPendingTests: 1,
  testResults: [{ name: "/a.test.ts", message: "", assertionResults: [] }],
};
const failed: JsonReport = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 0,
  testResults: [
    { name: "/b.test.ts", assertionResults: [{ status: "failed", fullName: "adds up" }] },
    { name: "/c.test.ts", message: "Cannot find module x", assertionResults: [] },
  ],
};
const shorten = (file: string): string => file.slice(1);

test("the last line adds up the tests of all runs", () => {
  expect(sumUp([passed, passed], [], shorten)).toBe("4 passed, 0 failed, 2 skipped, in 2 files");
});

test("what failed is named above the last line: tests, files that did not start, and tasks", () => {
  expect(sumUp([passed, failed], ["//#check:lint"], shorten).split("\n")).toEqual([
    "FAILED b.test.ts > adds up",
    "FAILED c.test.ts: Cannot find module x",
    "FAILED //#check:lint",
    "5 passed, 1 failed, 1 skipped, in 3 files",
  ]);
});
