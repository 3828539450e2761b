import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folders, projectsOf } from "../vitest.workspace.ts";
import { root } from "./packages.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};
const groups = Object.entries(scripts).filter(([name]) => /^tests:(?!slow|release)/.test(name));

test("each folder with tests belongs to one group of npm test", () => {
  const names = folders
    .flatMap((folder) => projectsOf(folder, "test"))
    .map((project) => project.test.name);
  const belonging = names.map((name) => [
    name,
    groups.filter(([, script]) => matches(script, name)).length,
  ]);
  expect(belonging).toEqual(names.map((name) => [name, 1]));
});

test("npm test runs each group", () => {
  const runner = readFileSync(join(import.meta.dirname, "test.ts"), "utf8");
  expect(groups.filter(([name]) => !runner.includes(`"${name}"`))).toEqual([]);
});

/** Says whether a script runs the tests of a project. */
function matches(script: string, name: string): boolean {
  const patterns = [...script.matchAll(/--project '?([^\s']+)'?/g)].map(
    ([, pattern = ""]) => pattern,
  );
  return patterns.some((pattern) => new RegExp(`^${pattern.replace("*", ".*")}$`).test(name));
}
