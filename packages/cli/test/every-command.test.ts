import { globSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, test } from "vitest";
import { commands, groups } from "../src/commands/commands.ts";
import { createProgram, parse } from "../src/commands/program.ts";
import { rowCommands } from "../src/rows/row-commands.ts";

// The commands of the rows have a test each in rows.test.ts. These two files look at all commands, and run none.
const SURVEYS = /every-command|mistakes/;

const rows = await rowCommands(["console", "ledger", "mapper", "mobile"]);
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

test.each(commands)("each example of $path is a line that the program accepts", async (command) => {
  for (const { line } of command.examples) {
    const ran: string[] = [];
    const program = createProgram({
      version: "0",
      commands: [...commands, ...rows.commands],
      groups: { ...groups, ...rows.groups },
      stdout: () => undefined,
      run: async ({ path }) => void ran.push(path),
    });
    const words = line.replace(/ [<>|].*/, "").matchAll(/"([^"]*)"|(\S+)/g);
    await parse(
      program,
      Array.from(words, ([, quoted, plain]) => quoted ?? plain ?? ""),
    );
    expect(ran, `"${line}" in commands.ts: no command runs`).toHaveLength(1);
  }
});

test("every run of a file is that of a command", () => {
  const src = join(import.meta.dirname, "../src");
  const loaded = globSync(join(src, "**/*commands.ts")).map((file) => readFileSync(file, "utf8"));
  const unlisted = globSync(join(src, "**/*.ts"))
    .flatMap((file) => {
      const runs = readFileSync(file, "utf8").matchAll(/^export const (run\w*): Run\b/gm);
      return Array.from(runs, ([, name = ""]) => ({ file, name }));
    })
    .filter(({ file, name }) => {
      const load = `/${basename(file)}")${name === "run" ? "" : `).${name}`}`;
      return !loaded.some((text) => text.includes(load));
    })
    .map(
      ({ file, name }) => `write a row of commands.ts that loads ${name} of ${relative(src, file)}`,
    );
  expect(unlisted).toEqual([]);
});
