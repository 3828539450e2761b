import type { CommandOption, SandboxCommand } from "../command.ts";
import { sandboxCommand, webhookCommands } from "../specs.ts";
import { PROGRAM } from "./context.ts";
import { optionsOf } from "./read-program.ts";

const OUTPUT_SWITCHES = [
  ["--json", "print JSON: one object, or one per line for a list"],
  ["--quiet", "print only results and errors"],
] as const;

/** Returns the help of a command, or of the program, for a terminal of a width. */
export function helpOf(command: SandboxCommand | undefined, width = Infinity): string {
  return command === undefined ? programHelp(width) : commandHelp(command, width);
}

function programHelp(width: number): string {
  const groups = Map.groupBy(optionsOf(sandboxCommand), ({ group }) => group);
  const switches = [...groups].flatMap(([group, options]) =>
    group === undefined ? [] : ["", `${group}:`, ...columns(options.map(optionRow), width)],
  );
  return [
    `Usage: ${PROGRAM} [options]`,
    `       ${PROGRAM} <command> [options]`,
    "",
    ...wrap(`${sandboxCommand.summary}. ${sandboxCommand.description}`, width),
    "",
    ...columns(
      [
        ...(groups.get(undefined) ?? []).map(optionRow),
        ...OUTPUT_SWITCHES,
        ["--version", "print the version"],
        ["-h, --help", "show this help"],
      ],
      width,
    ),
    "",
    "Commands:",
    ...columns(
      webhookCommands.map((each) => [usageOf(each), each.summary]),
      width,
    ),
    "",
    ...wrap(`${PROGRAM} help <command> prints the options of a command.`, width),
    ...switches,
    "",
  ].join("\n");
}

function commandHelp(command: SandboxCommand, width: number): string {
  const { summary, description, examples } = command;
  const rows = (command.arguments ?? []).map(
    ({ name, description: what }) => [`<${name}>`, what] as const,
  );
  return [
    `Usage: ${PROGRAM} ${usageOf(command)} [options]`,
    "",
    ...wrap(`${summary}.${description === undefined ? "" : ` ${description}`}`, width),
    "",
    ...columns(
      [
        ...rows,
        ...optionsOf(command).map(optionRow),
        ...OUTPUT_SWITCHES,
        ["-h, --help", "show this help"],
      ],
      width,
    ),
    "",
    "Examples:",
    ...examples.map(({ line, does }) => `  ${PROGRAM} ${line}\n      ${does}`),
    "",
  ].join("\n");
}

function usageOf(command: SandboxCommand): string {
  const names = (command.arguments ?? []).map(({ name, optional }) =>
    optional ? `[${name}]` : `<${name}>`,
  );
  return [command.name, ...names].join(" ");
}

function optionRow({ name, value, description, choices, required, repeatable }: CommandOption) {
  const marks = [
    choices && `one of: ${choices.join(", ")}`,
    required && "required",
    repeatable && "repeatable",
  ].filter(Boolean);
  const left = value === undefined ? `--${name}` : `--${name} <${value}>`;
  return [left, [description, ...marks.map((mark) => `(${mark})`)].join(" ")] as const;
}

/** A narrower column is harder to read than a description below its option. */
const LEAST = 48;
const BELOW = 6;

function columns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  const indent = width - left < LEAST ? BELOW : left;
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, width - indent).map((line) => " ".repeat(indent) + line);
    if (indent === BELOW) return [`  ${name}`, ...lines];
    return [`  ${name}`.padEnd(indent) + (lines[0] ?? "").slice(indent), ...lines.slice(1)];
  });
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
