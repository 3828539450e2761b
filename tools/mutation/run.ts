// npm run mutation [-- verify "URL building"]: the mutation score of the named subjects, or of all, which takes hours.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { root } from "../packages.ts";
import { equivalents } from "./equivalent.ts";
import { scoreOf, type Report, type Score } from "./score.ts";
import { subjects, type Subject } from "./subjects.ts";

// Mutants are written into the sources, so that packages see those of each other: never into this checkout.
const copy = join(root, "node_modules", ".cache", "mutation");
const results = join(import.meta.dirname, "results.json");

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => subjects.every((each) => each.name !== name));
if (unknown.length > 0) {
  console.error(`No such subject: ${unknown.join(", ")}.`);
  console.error(`There are: ${subjects.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

await makeCopy();
let isMissed = false;
for (const subject of subjects.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const score = scoreOf(await mutate(subject), equivalents);
  store(subject, score);
  const { caught, counted, equivalent, survivors } = score;
  const percent = (100 * caught) / counted;
  isMissed ||= percent < subject.goal;
  console.log(
    `${subject.name}: ${percent.toFixed(1)} % of ${counted} caught (goal ${subject.goal} %), ${equivalent} equivalent`,
  );
  for (const { place, line, mutant } of survivors)
    console.log(`  ${place}\n    - ${line}\n    + ${mutant}`);
}
process.exitCode = isMissed ? 1 : 0;

/** What is committed, with its dependencies: uncommitted changes are not measured. */
async function makeCopy(): Promise<void> {
  rmSync(copy, { recursive: true, force: true });
  await exec("git", ["clone", "--quiet", "--local", root, copy]);
  await exec("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: copy });
}

async function mutate({ packageId, files }: Subject): Promise<Report> {
  const report = join(copy, "reports", "mutation", "mutation.json");
  rmSync(report, { force: true });
  const settings = join(copy, "stryker.json");
  const mutated = files.map((each) =>
    each.startsWith("!")
      ? `!packages/${packageId}/${each.slice(1)}`
      : `packages/${packageId}/${each}`,
  );
  const config = {
    testRunner: "vitest",
    vitest: { configFile: join(import.meta.dirname, "vitest.config.ts") },
    mutate: mutated,
    inPlace: true,
    coverageAnalysis: "perTest",
    concurrency: 2,
    reporters: ["json"],
  };
  writeFileSync(settings, JSON.stringify(config));
  await exec("stryker", ["run", settings], { cwd: copy, env: { MUTATED_PACKAGE: packageId } });
  return JSON.parse(readFileSync(report, "utf8")) as Report;
}

/** Adds the figures to those that the docs show. */
function store({ name, goal }: Subject, { caught, counted, equivalent }: Score): void {
  const all = existsSync(results) ? (JSON.parse(readFileSync(results, "utf8")) as object) : {};
  const figures = { ...all, [name]: { goal, caught, counted, equivalent } };
  writeFileSync(results, `${JSON.stringify(figures, undefined, 2)}\n`);
}
