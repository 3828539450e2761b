import { expect, test, vi } from "vitest";
import { equivalents } from "./equivalent.ts";
import { interval, PAGE, readResults, withTable } from "./page.ts";
import { isPicked, onlyPicked, strykerPlugins } from "./sample.ts";
import { scoreOf, type Report } from "./score.ts";
import { subjects } from "./subjects.ts";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../packages.ts";

const source = "if (a < b) {\n  run();\n}\n";
const at = (status: string, column: number, replacement: string) => ({
  id: replacement,
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
  expect(scoreOf(report, {})).toEqual({
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
  const score = (file: string, instead?: string) =>
    scoreOf(report, { [file]: [["a < b", instead, ""]] });
  expect(score("a.ts", "a <= b")).toMatchObject({ counted: 3, equivalent: 1 });
  expect(score("a.ts", "a == b")).toMatchObject({ counted: 4, equivalent: 0 });
  expect(score("a.ts")).toMatchObject({ counted: 2, equivalent: 2 });
  expect(score("b.ts", "a <= b")).toMatchObject({ counted: 4, equivalent: 0 });
});

test("what a comment or a plugin leaves out is equivalent", () => {
  const files = { "a.ts": { source, mutants: [at("Ignored", 5, "true"), at("Killed", 5, "b")] } };
  expect(scoreOf({ files }, {})).toMatchObject({ counted: 1, equivalent: 1 });
});

test("an equivalent whose line was changed is an error", () => {
  expect(() => scoreOf(report, { "a.ts": [["a < c", "true", ""]] })).toThrow(
    "a.ts has no such line: a < c",
  );
});

test("a sample has about its share of the mutants, the same ones for a seed, and others for another", () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => String(index));
  const mutants = ids.map((id) => ({ ...at("NoCoverage", 1, "b"), id }));
  const pick = (share: number, seed: string) =>
    onlyPicked({ files: { "a.ts": { source, mutants } } }, share, seed).files["a.ts"]?.mutants ??
    [];
  expect(pick(1, "1")).toHaveLength(10_000);
  const tenth = pick(0.1, "1");
  expect(tenth.length).toBeGreaterThan(900);
  expect(tenth.length).toBeLessThan(1_100);
  expect(pick(0.1, "1")).toEqual(tenth);
  expect(pick(0.1, "2")).not.toEqual(tenth);
});

test("Stryker runs the mutants of the sample, and no other", async () => {
  vi.stubEnv("SHARE", "0.5");
  const sample = new (strykerPlugins[0]?.injectableClass ?? expect.fail())();
  const ids = Array.from({ length: 100 }, (_, index) => ({ id: String(index) }));
  expect(await sample.group(ids)).toEqual([ids.map(({ id }) => id)]);
  const passed = Object.entries(await sample.check(ids))
    .filter(([, { status }]) => status === "passed")
    .map(([id]) => id);
  expect(passed).toEqual(ids.map(({ id }) => id).filter((id) => isPicked(id, 0.5, "1")));
  vi.unstubAllEnvs();
});

test("the page shows the results, in its table", () => {
  const page = readFileSync(PAGE, "utf8");
  expect(withTable(page, readResults())).toBe(page);
  const figures = { goal: 97, caught: 9, counted: 10, equivalent: 1, share: 1 };
  expect(withTable(page, { "a part": figures })).toContain("| a part | 10 | 9 | 90.0% | 97% | 1 |");
});

test("the results are of subjects that there are, with their goals", () => {
  for (const [name, { goal }] of Object.entries(readResults()))
    expect(subjects).toContainEqual(expect.objectContaining({ name, goal }));
});

test("a sample says where the score of all mutants is likely to be", () => {
  expect(interval(92, 100)).toBe("92.0% (85.0% to 95.9%)");
  expect(interval(100, 100)).toBe("100.0% (96.3% to 100.0%)");
});

test.each(Object.entries(equivalents))("%s still has the listed lines", (file, rows) => {
  const text = readFileSync(join(root, file), "utf8");
  expect(rows.filter(([part]) => !text.includes(part))).toEqual([]);
});

test.each(subjects)("every pattern of $name finds a file", ({ packageId, files }) => {
  const folder = join(root, "packages", packageId);
  expect(existsSync(folder)).toBe(true);
  for (const pattern of files.filter((each) => !each.startsWith("!")))
    expect([pattern, ...globSync(pattern, { cwd: folder })].length).toBeGreaterThan(1);
});
