import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, exec } from "./exec.ts";
import { root } from "./packages.ts";
import type { Count } from "./steps.ts";

const REPORT = join(root, "node_modules", ".cache", "fieldmesh", "vitest.json");
/** More files than these do not fail by chance. */
const SECOND_RUN_AT_MOST = 3;
/** What a test is called that lacks a program; others are skipped because a row has nothing to prove. */
const NOT_RUN = /: skipped, because /;
const UNHANDLED = /Unhandled (Error|Rejection)/;

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/**
 * Runs one tier of the tests and counts them.
 *
 * Tests that talk to real servers can starve on a busy machine, so the files of a few failed ones run once more, alone.
 * What needed that is named: it is a test to mend. Named too is what was skipped for lack of a program.
 */
export async function runTests(tier: "fast" | "slow", run: RunVitest = vitest): Promise<Count> {
  const first = await run(tier, []);
  const files = first.failures.map(({ file }) => file);
  // An error outside of any test is no chance.
  const isChance = !UNHANDLED.test(first.count.output ?? "");
  const { skipped } = first;
  if (files.length === 0 && first.count.failed === 0)
    return skipped.length > 0 ? { ...first.count, remark: skipped.join("; ") } : first.count;
  if (!isChance || files.length === 0 || files.length > SECOND_RUN_AT_MOST) return first.count;
  const second = await run(tier, files);
  if (second.count.failed > 0) return first.count;
  const names = first.failures.flatMap(({ tests }) => tests);
  return {
    passed: first.count.passed + names.length,
    failed: 0,
    remark: [`only in a second run: ${names.join("; ")}`, ...skipped].join("; "),
  };
}

export interface Run {
  readonly count: Count;
  readonly failures: readonly { readonly file: string; readonly tests: readonly string[] }[];
  /** Tests that need a program which this machine lacks. Their names say so. */
  readonly skipped: readonly string[];
}

type RunVitest = (tier: "fast" | "slow", files: readonly string[]) => Promise<Run>;

async function vitest(tier: "fast" | "slow", files: readonly string[]): Promise<Run> {
  mkdirSync(dirname(REPORT), { recursive: true });
  rmSync(REPORT, { force: true });
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${REPORT}`];
  const env = { FIELDMESH_SLOW: tier === "slow" ? "1" : "" };
  try {
    await exec("vitest", ["run", ...reporters, ...files], { env });
    return read(0);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const run = read(1);
    return { ...run, count: { ...run.count, output: error.output } };
  }
}

function read(failedAtLeast: number): Run {
  try {
    const report = JSON.parse(readFileSync(REPORT, "utf8")) as Report;
    const failures = report.testResults
      .map(({ name, assertionResults }) => ({
        file: name,
        tests: assertionResults
          .filter(({ status }) => status === "failed")
          .map(({ fullName }) => fullName),
      }))
      .filter(({ tests }) => tests.length > 0);
    const { numPassedTests: passed, numFailedTests: failed } = report;
    const skipped = report.testResults.flatMap(({ assertionResults }) =>
      assertionResults
        .filter(({ status, fullName }) => status !== "passed" && NOT_RUN.test(fullName))
        .map(({ fullName }) => fullName),
    );
    return { count: { passed, failed: Math.max(failedAtLeast, failed) }, failures, skipped };
  } catch {
    return { count: { passed: 0, failed: failedAtLeast }, failures: [], skipped: [] };
  }
}
