// The mutation score of the named subjects, or of all, which needs hours. A random share of the mutants needs less time:
//
//   npm run mutation -- [verify "URL building" core] [--share 0.1 --seed 1] [--concurrency 1] [--incremental]
//
// --incremental keeps the results of the last run on this machine for mutants with the same line and tests.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exec } from "../exec.ts";
import { root } from "../packages.ts";
import { equivalents } from "./equivalent.ts";
import { interval, percent, store } from "./page.ts";
import { onlyPicked } from "./sample.ts";
import { scoreOf, type Report } from "./score.ts";
import { subjects, type Subject } from "./subjects.ts";

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    concurrency: { type: "string", default: "2" },
    incremental: { type: "boolean", default: false },
  },
});
const share = Number(values.share);
const unknown = wanted.filter((name) => subjects.every((each) => each.name !== name));
if (unknown.length > 0 || !(share > 0 && share <= 1)) {
  console.error(
    `There are: ${subjects.map(({ name }) => name).join(", ")}. A share is from 0 to 1.`,
  );
  process.exit(2);
}
/** How often the mutants that were tried with no test are tried again. */
const MOST_ROUNDS = 6;

// Mutants are written into the sources, so that packages see those of each other: never into this checkout. In a folder of
// node_modules, vitest would find no tests.
const copy = mkdtempSync(join(tmpdir(), "fieldmesh-mutation-"));
const reports = join(root, "node_modules", ".cache", "mutation");
mkdirSync(reports, { recursive: true });

let isMissed = false;
try {
  await makeCopy();
  for (const subject of subjects.filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name),
  )) {
    const { caught, counted, equivalent, survivors } = scoreOf(mutate(subject), equivalents);
    const { name, goal } = subject;
    isMissed ||= caught / counted < goal / 100;
    store(name, { goal, caught, counted, equivalent, share });
    const score = `${name}: ${caught} of ${counted} caught, ${share < 1 ? interval(caught, counted) : percent(caught / counted)}`;
    console.log(`${score}, goal ${goal}%, ${equivalent} equivalent`);
    for (const { place, line, mutant } of survivors)
      console.log(`  ${place}\n    - ${line}\n    + ${mutant}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = isMissed ? 1 : 0;

/** The commit and its dependencies. Uncommitted changes are not measured. */
async function makeCopy(): Promise<void> {
  await exec("git", ["clone", "--quiet", "--local", root, copy]);
  await exec("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: copy });
  await exec("turbo", ["run", "documents"], { cwd: copy });
}

function mutate({ name, packageId, files, judges }: Subject): Report {
  const report = join(copy, "reports", "mutation", "mutation.json");
  const kept = join(reports, `${name.replaceAll(" ", "-")}.json`);
  const settings = join(copy, "stryker.json");
  const tools = join(copy, "tools", "mutation");
  const config = {
    // Named, because pnpm does not put the plugin next to the program.
    plugins: [
      join(copy, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js"),
      join(tools, "sample.ts"),
      join(tools, "types-only.ts"),
    ],
    ignorers: ["types only"],
    testRunner: "vitest",
    // All tests of a package run in one process, with counters at each place: those of the sandbox need more than its default.
    testRunnerNodeArgs: ["--max-old-space-size=16384"],
    vitest: { configFile: join(tools, "vitest.config.ts") },
    checkers: share < 1 ? ["sample"] : [],
    mutate: files.map((each) =>
      each.startsWith("!")
        ? `!packages/${packageId}/${each.slice(1)}`
        : `packages/${packageId}/${each}`,
    ),
    inPlace: true,
    incrementalFile: kept,
    coverageAnalysis: "perTest",
    concurrency: Number(values.concurrency),
    // A busy machine is slow, and that must not count as caught.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    reporters: ["json", "progress-append-only"],
  };
  const run = (isIncremental: boolean): string => {
    rmSync(report, { force: true });
    writeFileSync(settings, JSON.stringify({ ...config, incremental: isIncremental }));
    const { status } = spawnSync(
      "node",
      ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", settings],
      {
        cwd: copy,
        stdio: ["ignore", "inherit", "inherit"],
        env: {
          ...process.env,
          MUTATED_PACKAGE: packageId,
          ...(judges && { JUDGES: judges.join(" ") }),
          ...(packageId.endsWith("-client") && { ROWS_OF: packageId }),
          SHARE: values.share,
          SEED: values.seed,
        },
      },
    );
    if (status !== 0) throw new Error("Stryker failed; what it said is above.");
    return readFileSync(report, "utf8");
  };
  if (values.incremental && existsSync(kept)) keep(kept, isCaught);
  let text = run(values.incremental);
  // A run that vitest cancels because of the previous one has no tests, which proves nothing.
  for (let round = 1; hasUntried(text) && round < MOST_ROUNDS; round++) {
    writeFileSync(kept, text);
    keep(kept, isTried);
    text = run(true);
  }
  if (hasUntried(text)) throw new Error("Some mutants were tried with no test at all.");
  writeFileSync(kept, text);
  return onlyPicked(JSON.parse(text) as Report, share, values.seed);
}

interface Tried {
  readonly status: string;
  readonly testsCompleted?: number;
}

function isTried({ status, testsCompleted = 0 }: Tried): boolean {
  return status !== "Survived" || testsCompleted > 0;
}

function hasUntried(report: string): boolean {
  const { files } = JSON.parse(report) as { files: Record<string, { mutants: Tried[] }> };
  return Object.values(files).some(({ mutants }) => !mutants.every(isTried));
}

/** Tries survivors again: Stryker does not see that a new test covers code that runs when a file is loaded. */
function isCaught({ status }: Tried): boolean {
  return status === "Killed" || status === "Timeout";
}

/** Removes the results that must be found again. */
function keep(file: string, isKept: (mutant: Tried) => boolean): void {
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  for (const each of Object.values(report.files) as { mutants: readonly Tried[] }[])
    each.mutants = each.mutants.filter(isKept);
  writeFileSync(file, JSON.stringify(report));
}
