import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, exec } from "./exec.ts";
import { root } from "./packages.ts";
import type { Count } from "./steps.ts";

const REPORT = join(root, "node_modules", ".cache", "fieldmesh", "vitest.json");

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

/** Runs one tier of the tests and counts them. */
export async function runTests(tier: "fast" | "slow"): Promise<Count> {
  mkdirSync(dirname(REPORT), { recursive: true });
  rmSync(REPORT, { force: true });
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${REPORT}`];
  const env = { FIELDMESH_SLOW: tier === "slow" ? "1" : "" };
  try {
    await exec("vitest", ["run", ...reporters], { env });
    return { ...read(), failed: 0 };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // An error outside of any test fails the run without a failed test.
    const { passed, failed } = read();
    return { passed, failed: Math.max(1, failed), output: error.output };
  }
}

function read(): Count {
  try {
    const report = JSON.parse(readFileSync(REPORT, "utf8")) as Report;
    return { passed: report.numPassedTests, failed: report.numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
