import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { commands } from "../packages/cli/src/commands/commands.ts";
import { rowCommands } from "../packages/cli/src/rows/row-commands.ts";
import { createProgram, parse } from "../packages/cli/src/commands/program.ts";
import { readProgram } from "../packages/sandbox/src/commands/program/read-program.ts";
import { SANDBOX_PORT } from "../packages/sandbox/src/commands/sandbox-port.ts";
import { packages, root } from "./packages.ts";
import { readBlocks } from "../docs/samples.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const lines = readBlocks("sh").flatMap(({ name, code }) =>
  code
    .replace(/ \\\n */g, " ")
    .split("\n")
    .map((line) => line.replace(/(^| +)# .*$/, "").trim())
    .filter(Boolean)
    .map((line) => ({ name, line })),
);

test("there are commands", () => expect(lines.length).toBeGreaterThan(10));

const ASSIGNED = /^[A-Z_]+=/;
const readAll = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
const service = readAll("examples/service/*.ts");
const guides = readAll("docs/guides/*.md");

// Also in the tabs of each package manager. A bare name would be whatever anyone has published under it.
test("a guide runs our programs by the names of their packages", () => {
  const bare = guides.match(/\b(npx|bunx|dlx)( -\S+)* fieldmesh.*/g);
  expect(bare).toBeNull();
  expect(guides).toContain("bunx @fieldmesh/sandbox");
});

const MIRROR = "node_modules/@fieldmesh/mirror";

test.for(lines)("$name: $line", async ({ line }) => {
  const [command = "", ...words] = (line.match(/(?:"[^"]*"|[^\s"])+/g) ?? [])
    .map((word) => word.replaceAll('"', ""))
    // A program's environment may precede it.
    .filter((word, index) => index > 0 || !ASSIGNED.test(word));
  switch (command) {
    case "npm":
      expectNpm(words);
      break;
    case "npx":
      // By its package: a bare name would be whatever anyone has published under it.
      if (words[0] === "@fieldmesh/cli") {
        await readCommand(words.slice(1));
        break;
      }
      expect(words.shift()).toBe("@fieldmesh/sandbox");
      readProgram(words);
      break;
    case "fieldmesh":
      await readCommand(withoutRedirection(words));
      break;
    case "fieldmesh-sandbox":
      readProgram(words);
      break;
    case "export":
      for (const word of words) expectVariable(word);
      break;
    case "node":
      // A program of ours, or one that a guide shows.
      expectProgram(words.find((word) => !word.startsWith("--")) ?? "");
      break;
    case "cd":
      expect(existsSync(sourceOf(words[0] ?? ""))).toBe(true);
      break;
    case "psql":
      expect(words.slice(0, 2)).toEqual(["$DATABASE_URL", "-f"]);
      expect(existsSync(join(sourceOf(MIRROR), words[2] ?? ""))).toBe(true);
      break;
    case "set":
      // Reads the file that `sandbox --env` writes.
      expect(line).toBe("set -a; . ./.env; set +a");
      break;
    default:
      throw new Error(`nothing proves ${command}`);
  }
});

/** The sources of an installed folder. */
function sourceOf(folder: string): string {
  return join(root, folder.replace("node_modules/@fieldmesh", "packages"));
}

function expectProgram(file: string): void {
  if (file.includes("/")) expect(existsSync(join(root, file))).toBe(true);
  else expect(guides).toContain(`\`${file}\``);
}

/** Where the commands listen, or what the service of the examples reads. */
function expectVariable(word: string): void {
  const [name = "", value = ""] = word.split("=");
  if (name === "FIELDMESH_SANDBOX") expect(value).toBe(`http://127.0.0.1:${SANDBOX_PORT}`);
  else expect(service).toContain(`setting("${name}")`);
}

/** Without what the shell does with the output. */
function withoutRedirection(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^>>?$/.test(word));
  return end < 0 ? words : words.slice(0, end);
}

/** Rejects for what the program would not take. */
async function readCommand(words: readonly string[]): Promise<void> {
  let ran = 0;
  const run = async () => void ran++;
  const rows = await rowCommands(words);
  const program = createProgram({
    version: "",
    commands: [...commands, ...rows.commands],
    groups: {},
    run,
    stdout: () => undefined,
  });
  await parse(program, words);
  expect(ran).toBe(1);
}

function expectNpm([what = "", ...rest]: readonly string[]): void {
  const names = rest.filter((word) => !word.startsWith("--"));
  // A package of ours, or one that it needs beside it.
  const known = packages.flatMap(({ manifest }) => [
    manifest.name,
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  if (what === "install") expect(known).toEqual(expect.arrayContaining(names));
  else expect(Object.keys(scripts)).toContain(what === "run" ? names[0] : what);
}

test.for(readBlocks("js"))("$name, which shows what not to do, is JavaScript", ({ code }) => {
  const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true });
  expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
});
