import { expect, test } from "vitest";
import { equivalents } from "./equivalent.ts";
import { scoreOf, type Report } from "./score.ts";
import { subjects } from "./subjects.ts";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../packages.ts";

const source = "if (a < b) {\n  run();\n}\n";
const at = (status: string, column: number, replacement: string) => ({
  status,
  replacement,
  location: { start: { line: 1, column }, end: { line: 1, column: column + 5 } },
});
const report: Report = {
  files: {
    "a.ts": {
      source,
      mutants: [
        at("Killed", 5, "true"),
        at("Timeout", 5, "a > b"),
        at("Survived", 5, "a <= b"),
        at("NoCoverage", 5, "false"),
        at("CompileError", 5, "b"),
      ],
    },
  },
};

test("caught are those that fail or do not end; what does not compile is no mutant", () => {
  expect(scoreOf(report, [])).toEqual({
    caught: 2,
    counted: 4,
    equivalent: 0,
    survivors: [
      { place: "a.ts:1", line: "if (a < b) {", mutant: "if (a <= b) {" },
      { place: "a.ts:1", line: "if (a < b) {", mutant: "if (false) {" },
    ],
  });
});

test("equivalents do not count, one by one or by their line, and only in their file", () => {
  const line = "if (a < b) {";
  const score = (row: object) => scoreOf(report, [{ file: "a.ts", line, reason: "", ...row }]);
  expect(score({ mutant: "if (a <= b) {" })).toMatchObject({ counted: 3, equivalent: 1 });
  expect(score({})).toMatchObject({ counted: 2, equivalent: 2 });
  expect(score({ file: "b.ts" })).toMatchObject({ counted: 4, equivalent: 0 });
});

test("an equivalent whose line was changed is an error", () => {
  const row = { file: "a.ts", line: "if (a < c) {", reason: "" };
  expect(() => scoreOf(report, [row])).toThrow("a.ts has no such line: if (a < c) {");
});

test.each(equivalents)("$file still has the line $line, and the row a reason", (row) => {
  const lines = readFileSync(join(root, row.file), "utf8").split("\n");
  expect(lines.map((line) => line.trim())).toContain(row.line);
  expect(row.reason).not.toBe("");
});

test.each(subjects)("every pattern of $name finds a file", ({ packageId, files }) => {
  const folder = join(root, "packages", packageId);
  expect(existsSync(folder)).toBe(true);
  for (const pattern of files.filter((each) => !each.startsWith("!")))
    expect([pattern, ...globSync(pattern, { cwd: folder })].length).toBeGreaterThan(1);
});
