import { expect, test } from "vitest";
import type { Command, Input } from "../src/command.ts";
import type { Globals } from "../src/commands/global-options.ts";
import { createProgram, parse } from "../src/commands/program.ts";

const command: Command = {
  path: "devices import",
  summary: "Import devices from a CSV file",
  description: "Rows that cannot be imported are written to a file.",
  arguments: [
    { name: "file", description: "the CSV file" },
    { name: "mode", description: "what to do", optional: true, choices: ["fast", "careful"] },
  ],
  options: [
    { name: "if-exists", value: "what", description: "skip or fail", choices: ["skip", "fail"] },
    { name: "label", value: "name", description: "a label", repeatable: true },
    { name: "dry-run", description: "change nothing" },
  ],
  examples: [
    { line: "devices import fleet.csv", does: "Import a file" },
    { line: "devices import fleet.csv --if-exists skip", does: "Leave out what is there" },
  ],
  load: () => Promise.reject(new Error("Parsing loads nothing.")),
};

interface Parsed {
  readonly printed: string;
  readonly ran: readonly (readonly [string, Globals, Input])[];
}

const run = (...args: string[]): Promise<Parsed> => runAt(80, ...args);

async function runAt(columns: number, ...args: string[]): Promise<Parsed> {
  let printed = "";
  const ran: [string, Globals, Input][] = [];
  const program = createProgram({
    version: "1.2.3",
    columns,
    commands: [command, { ...command, path: "devices export" }],
    groups: { devices: "Work with many devices" },
    run: async ({ path }, globals, input) => void ran.push([path, globals, input]),
    stdout: (text) => (printed += text),
  });
  await parse(program, args, async () => ["console labels list"]);
  return { printed, ran };
}

test("passes a command its arguments and options, and accepts the global options in any place", async () => {
  const line =
    "--json devices import fleet.csv --label a --dry-run --label b --yes --profile plant";
  const { ran } = await run(...line.split(" "));
  expect(ran).toEqual([
    [
      "devices import",
      { json: true, yes: true, observedRules: true, profile: "plant" },
      { arguments: ["fleet.csv", undefined], options: { label: ["a", "b"], dryRun: true } },
    ],
  ]);
});

test.each([[["-h"]], [["--help"]], [["help"]], [[]]])(
  "%j lists the groups of commands",
  async (args) => {
    const { printed, ran } = await run(...args);
    expect(printed).toMatch(/devices +Work with many devices/);
    expect(printed).toMatch(/--profile <name> +use the addresses/);
    expect(ran).toEqual([]);
  },
);

test.each([
  [["devices", "import", "--help"]],
  [["devices", "import", "-h"]],
  [["devices", "help", "import"]],
  [["help", "devices", "import"]],
])("%j prints the help of a command, with its examples and the global options", async (args) => {
  const { printed } = await run(...args);
  expect(printed).toContain("Usage: fieldmesh devices import [options] <file> [mode]");
  expect(printed).toContain("Rows that cannot be imported");
  expect(printed).toMatch(/Import a file:\n {4}fieldmesh devices import fleet\.csv\n/);
  expect(printed).toMatch(/Global Options:[^]+--json/);
});

test.each([60, 40, 30])("help wraps at %i columns", async (columns) => {
  const { printed } = await runAt(columns, "devices", "import", "--help");
  const lines = printed.split("\n").filter((line) => !line.startsWith("Usage:"));
  expect(lines.filter((line) => line.length > columns)).toEqual([]);
  expect(printed).toContain("--if-exists <what>");
});
