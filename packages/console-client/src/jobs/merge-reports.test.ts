import { expect, test } from "vitest";
import type { CreateManyReport } from "../bulk/run/bulk-types.ts";
import type { JobManifest, JobReport } from "./job-types.ts";
import { mergeReports, reportOfJob } from "./merge-reports.ts";

const manifest: JobManifest = {
  version: 1,
  jobs: [
    { id: "a", count: 10 },
    { id: "b", count: 5 },
  ],
  count: 15,
};
const a: JobReport = { id: "a", created: 4, skipped: 3, failed: 2, unknown: 1 };
const b: JobReport = { id: "b", created: 1, skipped: 2, failed: 2, unknown: 0 };
const MADE_BY =
  "The reports of jobs are made by reportOfJob, from a job and the report of createMany: leave out jobs that have failed.";
const throwing = (): never => {
  throw new TypeError("a value of the caller");
};

test("each number is the sum of its kind, and settled is the sum of all", () => {
  expect(mergeReports(manifest, [a, b])).toEqual({
    created: 5,
    skipped: 5,
    failed: 4,
    unknown: 1,
    count: 15,
    settled: 15,
    missing: [],
    doubled: [],
    foreign: [],
  });
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a list", []],
  ["another version", { ...manifest, version: 2 }],
  ["no jobs", { version: 1, count: 0 }],
  ["jobs that are no list", { ...manifest, jobs: "ab" }],
])("mergeReports with %s as its first argument asks for a manifest", (_what, first) => {
  expect(() => mergeReports(first as JobManifest, [])).toThrow(
    new TypeError("mergeReports requires the manifest of a split as its first argument."),
  );
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a string", "ab"],
  ["a single report", a],
])("mergeReports with %s as its second argument asks for a list", (_what, second) => {
  expect(() => mergeReports(manifest, second as JobReport[])).toThrow(
    new TypeError("mergeReports requires a list of reports as its second argument."),
  );
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a report without an id", { ...a, id: undefined }],
  ["a report whose id is a number", { ...a, id: 7 }],
  ...(["created", "skipped", "failed", "unknown"] as const).map((name): [string, unknown] => [
    `a report without ${name}`,
    { ...a, [name]: undefined },
  ]),
  ["a fractional number", { ...a, failed: 0.5 }],
])("mergeReports rejects %s", (_what, report) => {
  expect(() => mergeReports(manifest, [report as JobReport])).toThrow(new TypeError(MADE_BY));
});

test("reportOfJob keeps the id and the numbers, and nothing else", () => {
  const { id, ...numbers } = a;
  const report = { ...numbers, settled: 10, results: {} } as unknown as CreateManyReport;
  expect(reportOfJob({ id }, report)).toEqual(a);
  expect(() => reportOfJob({ id }, {} as CreateManyReport)).toThrow(new TypeError(MADE_BY));
  const unreadable = new Proxy({ id }, { get: throwing });
  expect(() => reportOfJob(unreadable, report)).toThrow(new TypeError(MADE_BY));
});
