import { expect, test } from "vitest";
import type { SandboxCommand } from "../command.ts";
import { sandboxCommand } from "../specs.ts";
import { helpOf } from "./help.ts";
import { readProgram } from "./read-program.ts";

test("the examples of the program start a sandbox", () => {
  for (const { line } of sandboxCommand.examples)
    expect(readProgram(line.split(" "))).toMatchObject({ command: sandboxCommand });
});

const command: SandboxCommand = {
  name: "test",
  summary: "Say what a test says",
  description: "It says nothing else.",
  arguments: [{ name: "what", description: "one two three four five" }],
  options: [
    { name: "each", value: "text", description: "six", choices: ["a", "b"], repeatable: true },
    { name: "all", description: "seven", required: true },
  ],
  examples: [
    { line: "test one", does: "Say one" },
    { line: "test two", does: "Say two" },
  ],
  load: () => Promise.reject(new Error("not loaded")),
};

test("without a width, as in a pipe, each description is on the line of its option", () => {
  expect(helpOf(command)).toBe(`Usage: fieldmesh-sandbox test <what> [options]

Say what a test says. It says nothing else.

  <what>         one two three four five
  --each <text>  six (one of: a, b) (repeatable)
  --all          seven (required)
  --json         print JSON: one object, or one per line for a list
  --quiet        print only results and errors
  -h, --help     show this help

Examples:
  fieldmesh-sandbox test one
      Say one
  fieldmesh-sandbox test two
      Say two
`);
});

test("a description has at least 48 columns beside its option", () => {
  const help = helpOf(command, 65);
  expect(help).toContain("\n  --each <text>  six (one of: a, b) (repeatable)\n");
  expect(help).toContain("\n  --json         print JSON: one object, or one per line for a\n");
  expect(help).toContain("\n                 list\n");
});

test("in a narrower terminal, a description is below its option", () => {
  expect(helpOf(command, 64)).toContain(`
  <what>
      one two three four five
  --each <text>
      six (one of: a, b) (repeatable)
`);
});

test("a line is as long as the terminal is wide, and no longer", () => {
  const wrapped = (width: number) => helpOf(command, width).split("\n").slice(2, 5);
  expect(wrapped(43)[0]).toBe("Say what a test says. It says nothing else.");
  expect(wrapped(42).slice(0, 2)).toEqual(["Say what a test says. It says nothing", "else."]);
});
