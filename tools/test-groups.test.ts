// Why it is so: docs/decisions/42-where-things-belong.md
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folders } from "../vitest.workspace.ts";
import { root } from "./packages.ts";

/** They read the whole checkout, so that their tests are tasks of the root. */
const OF_ROOT = ["docs", "tools"];

const scriptsOf = (folder: string) =>
  (JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { scripts?: object })
    .scripts ?? {};

test("npm test runs the fast tests of each folder", () => {
  const isFast = (file: string): boolean =>
    !/node_modules|\.(slow|long|release)\.test\.ts$/.test(file);
  const tested = folders.filter((folder) =>
    globSync("**/*.test.ts", { cwd: join(root, folder) }).some(isFast),
  );
  const own = folders.filter((folder) => !OF_ROOT.includes(folder) && "tests" in scriptsOf(folder));
  expect([...own, ...OF_ROOT].toSorted()).toEqual(tested.toSorted());
  for (const folder of OF_ROOT) expect(scriptsOf("")).toHaveProperty(`tests:${folder}`);
});

test("a change of what the tests of a folder import runs them again", () => {
  const unread = folders
    .filter((folder) => !OF_ROOT.includes(folder) && "tests" in scriptsOf(folder))
    .flatMap((folder) => {
      const { dependencies, devDependencies } = JSON.parse(
        readFileSync(join(root, folder, "package.json"), "utf8"),
      ) as Record<string, Record<string, string>>;
      const inputs = [...inputsIn(""), ...inputsIn(folder)].join(" ");
      return importsOf(folder)
        .filter((path) => !path.startsWith(`${folder}/`) && existsSync(join(root, path)))
        .map((path) => /^(packages\/[^/]+|tools\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path)
        .filter((other) => {
          const its = `@fieldmesh/${other.replace("packages/", "")}`;
          return !(its in { ...dependencies, ...devDependencies }) && !isInput(inputs, other);
        })
        .map((other) => `${folder} imports ${other}`);
    });
  expect([...new Set(unread)]).toEqual([]);
});

test("no package imports the test folder of another one", () => {
  const foreign = folders
    .filter((folder) => folder.startsWith("packages/"))
    .flatMap((folder) =>
      importsOf(folder)
        .filter((path) => /^packages\/[^/]+\/test\//.test(path) && !path.startsWith(`${folder}/`))
        .map((path) => `${folder} imports ${path}: move it to tools/testing`),
    );
  expect([...new Set(foreign)]).toEqual([]);
});

/** Returns the inputs of the tests that a turbo.json states. A folder may have none of its own. */
function inputsIn(folder: string): readonly string[] {
  const file = join(root, folder, "turbo.json");
  if (!existsSync(file)) return [];
  const { tasks } = JSON.parse(readFileSync(file, "utf8").replaceAll(/^ *\/\/.*$/gm, "")) as {
    tasks: Readonly<Record<string, { inputs?: readonly string[] }>>;
  };
  return tasks["tests"]?.inputs ?? [];
}

/** Returns the files outside a folder that its code and its fast tests name by a path, from the root. */
function importsOf(folder: string): string[] {
  return globSync("**/*.ts", {
    cwd: join(root, folder),
    exclude: (file) => /node_modules|\.(slow|long|release)\.test/.test(file),
  }).flatMap((file) =>
    [...readFileSync(join(root, folder, file), "utf8").matchAll(/"((?:\.\.\/)+[^"]+)"/g)].map(
      ([, path = ""]) => join(folder, file, "..", path).replaceAll("\\", "/"),
    ),
  );
}

/** Says whether a folder, or a file of tools, is among the inputs of a task. */
function isInput(inputs: string, path: string): boolean {
  if (/^tools\/[^/]+\.ts$/.test(path)) return inputs.includes("tools/*.ts");
  const [first = "", second = ""] = path.split("/");
  if (inputs.includes(`${first}/*/`)) return true;
  return new RegExp(`${first}/(${second}\\b|\\{[^}]*\\b${second}\\b)`).test(inputs);
}
