import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
  type Help,
} from "commander";
import type { Argument, Command, Input, Option } from "../command.ts";
import { CliError } from "../exit-codes.ts";
import { camelCase } from "@fieldmesh/sandbox/internal/commands";
import { cellsOf, padCells, wrapCells, wrapCommand } from "../output/cells.ts";
import { globalOptions, type Globals } from "./global-options.ts";

export interface ProgramOptions {
  readonly version: string;
  readonly commands: readonly Command[];
  /** The first words of commands, each with a line of help. */
  readonly groups: Readonly<Record<string, string>>;
  /** Runs a command, with the options that every command has. */
  readonly run: (command: Command, globals: Globals, input: Input) => Promise<void>;
  readonly stdout: (text: string) => void;
  /** The width of the help. Default: that of a pipe. */
  readonly columns?: number | undefined;
}

/** The width of help in a pipe. */
const PIPE_WIDTH = 80;

/** Creates the parser of the command line. Parsing rejects with a {@link CliError} for an invalid command line. */
export function createProgram({
  version,
  commands,
  groups,
  run,
  stdout,
  columns = PIPE_WIDTH,
}: ProgramOptions): CommanderCommand {
  const program = new CommanderCommand("fieldmesh")
    .description("Use the fieldmesh services from a shell.")
    .usage("<command> [options]")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command...]", "show the help of a command")
    .configureHelp({
      showGlobalOptions: true,
      displayWidth: cellsOf,
      minWidthToWrap: 1,
      formatItem,
    })
    // Errors are printed in one place.
    .configureOutput({
      writeOut: stdout,
      writeErr: () => undefined,
      getOutHelpWidth: () => columns,
    })
    .exitOverride()
    .addHelpText("beforeAll", rejectUnknownWord);
  // Groups without a command are listed too: their commands are loaded when the command line names the group.
  for (const name of Object.keys(groups)) groupOf(program, name.split(" "), groups);
  for (const option of globalOptions) program.addOption(toOption(option));
  for (const command of commands) {
    const words = command.path.split(" ");
    const leaf = groupOf(program, words.slice(0, -1), groups).command(words.at(-1) ?? "");
    describe(leaf, command, columns);
    leaf.action(async (...given: unknown[]) => {
      // commander passes the arguments, then the options and itself.
      const args = given.slice(0, -2) as (string | undefined)[];
      await run(command, program.opts(), withAliases(leaf, command, args));
    });
  }
  return program;
}

/** Runs a command line. Help and the version are printed; a mistake becomes a {@link CliError}, which suggests one of the `paths`. */
export async function parse(
  program: CommanderCommand,
  args: readonly string[],
  paths: () => Promise<readonly string[]> = async () => [],
): Promise<void> {
  try {
    await program.parseAsync(withHelp(withVersion(args)), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const { describeMistake } = await import("./mistake.ts");
    throw new CliError(describeMistake(program, args, error, await paths()));
  }
}

const VERSIONS: ReadonlySet<string> = new Set(["version", "-v", "-V"]);

function withVersion(args: readonly string[]): readonly string[] {
  return args.length === 1 && VERSIONS.has(args.join("")) ? ["--version"] : args;
}

/** A line without a word prints the help. `help fleet apply` is `fleet apply --help`. */
function withHelp(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  if (first === undefined) return ["--help"];
  return first === "help" ? [...words, "--help"] : args;
}

/** The parser prints the help of a group for `--help` before it looks at the word in between. */
function rejectUnknownWord({ command }: { readonly command: CommanderCommand }): string {
  const word = command.args.find((each) => each !== "help") ?? "-";
  const isKnown = command.commands.some((each) => each.name() === word);
  if (command.commands.length > 0 && !word.startsWith("-") && !isKnown)
    command.error(`'${word}'`, { code: "commander.unknownCommand" });
  return "";
}

function groupOf(
  program: CommanderCommand,
  words: readonly string[],
  groups: ProgramOptions["groups"],
): CommanderCommand {
  let group = program;
  for (const [at, word] of words.entries()) {
    const found = group.commands.find((each) => each.name() === word);
    const path = words.slice(0, at + 1).join(" ");
    group =
      found ??
      group
        .command(word)
        .summary(groups[path] ?? "")
        .description(groups[path] ?? "");
  }
  return group;
}

function describe(leaf: CommanderCommand, command: Command, columns: number): void {
  const { summary, description, examples } = command;
  leaf.summary(summary).description([`${summary}.`, description].filter(Boolean).join("\n\n"));
  const args = command.arguments ?? [];
  for (const argument of args) leaf.addArgument(toArgument(argument));
  for (const option of command.options ?? []) leaf.addOption(toOption(option));
  const own = new Set(command.options?.map(({ name }) => name));
  for (const argument of args)
    for (const name of aliasesOf(argument).filter((each) => !own.has(each)))
      leaf.addOption(toOption({ ...argument, name, value: argument.name }).hideHelp());
  leaf.usage(["[options]", ...args.map(usageOf)].join(" "));
  leaf.addHelpText("after", () => {
    const lines = examples.map(
      ({ line, does }) =>
        `${wrapCells(`  ${does}:`, columns, "  ")}\n${wrapCommand(`fieldmesh ${line}`, columns, "    ")}`,
    );
    return `\nExamples:\n${lines.join("\n\n")}`;
  });
}

/** An option may be typed instead of it, so the parser requires none. */
function toArgument({ name, description, choices }: Argument): CommanderArgument {
  const argument = new CommanderArgument(`[${name}]`, description);
  return choices === undefined ? argument : argument.choices(choices);
}

function usageOf({ name, optional }: Argument): string {
  return optional ? `[${name}]` : `<${name}>`;
}

/** The options that may be typed instead of an argument. */
function aliasesOf({ name, aliases = [] }: Argument): readonly string[] {
  return [name, ...aliases];
}

/** Returns the input of a command: what was typed with an option instead of an argument is in its place, and the other way round. */
function withAliases(
  leaf: CommanderCommand,
  command: Command,
  typed: readonly (string | undefined)[],
): Input {
  const options: Record<string, Input["options"][string]> = { ...leaf.opts() };
  const own = new Set(command.options?.map(({ name }) => camelCase(name)));
  // The parser would report it before an option that does not exist.
  const isMissing = ({ required, name }: Option): boolean =>
    required === true && options[camelCase(name)] === undefined;
  const missing = command.options?.find(isMissing);
  if (missing !== undefined)
    leaf.error(`'${toOption(missing).flags}'`, { code: "commander.missingMandatoryOptionValue" });
  const args = (command.arguments ?? []).map((argument, place) => {
    const { name, optional = false } = argument;
    const names = aliasesOf(argument).map(camelCase);
    const inOptions = names.flatMap((each) => options[each] ?? []);
    const [value, other] = [typed[place] ?? [], inOptions].flat() as string[];
    if (other !== undefined) throw new CliError(`<${name}> is given twice: once is enough.`);
    if (value === undefined && !optional)
      return leaf.error(`'${name}'`, { code: "commander.missingArgument" });
    for (const each of names)
      if (!own.has(each)) delete options[each];
      else if (value !== undefined) options[each] = value;
    return value;
  });
  return { arguments: args, options };
}

function toOption({ name, description, value, choices, group, repeatable }: Option) {
  const option = new CommanderOption(
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    repeatable ? `${description} (repeatable)` : description,
  );
  if (choices !== undefined) option.choices(choices);
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (!repeatable) return option;
  const { parseArg } = option;
  return option.argParser((given, before: readonly string[] | undefined) => {
    // The parser of the choices rejects other values.
    parseArg?.(given, []);
    return [...(before ?? []), given];
  });
}

const INDENT = 2;
const GAP = 2;
/** If the column of descriptions is narrower, they begin below their terms. */
const NARROW = 40;
const DEFAULT_WIDTH = 80;

/** Formats an option, an argument or a command of the help, wrapped at any width. */
function formatItem(term: string, termWidth: number, about: string, help: Help): string {
  const indent = " ".repeat(INDENT);
  if (about === "") return indent + term;
  const width = help.helpWidth ?? DEFAULT_WIDTH;
  const beside = INDENT + termWidth + GAP;
  const isNarrow = width - beside < NARROW;
  const left = isNarrow ? INDENT + INDENT + INDENT : beside;
  const lines = help.boxWrap(about, Math.max(1, width - left)).split("\n");
  const body = lines.join(`\n${" ".repeat(left)}`);
  if (isNarrow) return `${indent}${term}\n${" ".repeat(left)}${body}`;
  return padCells(indent + term, beside) + body;
}
