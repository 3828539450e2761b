import { globSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../src/commands/commands.ts";

// The commands of the rows have a test each in rows.test.ts. These two files look at all commands, and run none.
const SURVEYS = /every-command|mistakes/;

const tests = ["packages/cli/test", "packages/sandbox/src/commands"]
  .flatMap((folder) => globSync(join(import.meta.dirname, "../../..", folder, "**/*.test.ts")))
  .filter((file) => !SURVEYS.test(file))
  .map((file) => readFileSync(file, "utf8"));

test.each(commands)("a test runs $path", ({ path, load }) => {
  const [, module = "", exported = ""] = /([\w-]+)\.ts"\)+(?:\.(\w+))?/.exec(String(load)) ?? [];
  // The commands for webhooks are those of the sandbox, one in each file.
  const files = [module, path.split(" ").pop() ?? ""];
  const imports = new RegExp(`${exported}[^;]* from ".*/(?:${files.join("|")})\\.ts"`);
  const types = new RegExp(`"${path.replaceAll(" ", '(?: |", ")')}[" ]`);
  const isTested = tests.some((text) => imports.test(text) || types.test(text));
  expect(isTested, `write a test in packages/cli/test that runs "${path}"`).toBe(true);
});

test("every run of a file is that of a command", () => {
  const src = join(import.meta.dirname, "../src");
  const loaded = globSync(join(src, "**/*commands.ts")).map((file) => readFileSync(file, "utf8"));
  const unlisted = globSync(join(src, "**/*.ts"))
    .filter((file) => /^export const run: Run\b/m.test(readFileSync(file, "utf8")))
    .filter((file) => !loaded.some((text) => text.includes(`/${basename(file)}")`)))
    .map((file) => `write a row of commands.ts that loads ${relative(src, file)}`);
  expect(unlisted).toEqual([]);
});
