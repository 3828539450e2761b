import type { SandboxCommand } from "../command.ts";
import { sandboxCommand, webhookCommands } from "../specs.ts";
import { PROGRAM } from "./context.ts";
import { optionsOf } from "./read-program.ts";

const OUTPUT_SWITCHES = [
  ["--json", "print JSON: one object, or one per line for a list"],
  ["--quiet", "print only results and errors"],
] as const;

/** Returns the help of a command, or of the program. */
export function helpOf(command: SandboxCommand | undefined): string {
  return command === undefined ? programHelp() : commandHelp(command);
}

function programHelp(): string {
  return [
    `Usage: ${PROGRAM} [options]`,
    `       ${PROGRAM} <command> [options]`,
    "",
    `${sandboxCommand.summary}. ${sandboxCommand.description}`,
    "",
    ...columns([
      ...optionRows(sandboxCommand),
      ...OUTPUT_SWITCHES,
      ["--version", "print the version"],
      ["-h, --help", "show this help"],
    ]),
    "",
    "Commands:",
    ...columns(webhookCommands.map((each) => [usageOf(each), each.summary])),
    "",
    `${PROGRAM} help <command> prints the options of a command.`,
    "",
  ].join("\n");
}

function commandHelp(command: SandboxCommand): string {
  const { summary, description, examples } = command;
  const rows = (command.arguments ?? []).map(
    ({ name, description: what }) => [`<${name}>`, what] as const,
  );
  return [
    `Usage: ${PROGRAM} ${usageOf(command)} [options]`,
    "",
    `${summary}.${description === undefined ? "" : ` ${description}`}`,
    "",
    ...columns([
      ...rows,
      ...optionRows(command),
      ...OUTPUT_SWITCHES,
      ["-h, --help", "show this help"],
    ]),
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

function optionRows(command: SandboxCommand) {
  return optionsOf(command).map(({ name, value, description, required, repeatable }) => {
    const marks = [required && "required", repeatable && "repeatable"].filter(Boolean).join(", ");
    const left = value === undefined ? `--${name}` : `--${name} <${value}>`;
    return [left, marks === "" ? description : `${description} (${marks})`] as const;
  });
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
