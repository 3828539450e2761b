import type { Command as CommanderCommand, CommanderError, Option } from "commander";
import { isFieldName } from "@fieldmesh/core/internal/schema";
import { suggestCommands, suggestOptions } from "./suggestions.ts";

/** Says what is wrong with a command line, and what to type. `paths` are all commands, such as `devices import`. */
export function describeMistake(
  program: CommanderCommand,
  args: readonly string[],
  { code, message }: CommanderError,
  paths: readonly string[],
): string {
  const { group, rest } = groupIn(program, args);
  const help = `See "${pathOf(group)} --help".`;
  // The message of commander has the name of what is wrong in quotes: ours, unless nothing has it. What was typed is not shown.
  const [, named = ""] = /'([^']*)'/.exec(message) ?? [];
  const [option = ""] = named.split(/[ ,=]/, 1);
  const shown = [...shownOptions(group), ...shownOptions(program)];
  const options = new Set(shown.map(({ long }) => long ?? ""));
  const [choices] = message.split("Allowed choices are ").slice(-1);
  switch (code) {
    case "commander.help":
      return `${pathOf(group)} needs a command: ${group.commands.map((each) => each.name()).join(", ")}. ${help}`;
    case "commander.unknownCommand":
      return unknownCommand(group, rest, named, [...paths, "help"], help);
    case "commander.unknownOption":
      if (options.has(option)) return `${option} has no value. ${help}`;
      return `"${pathOf(group)}" has no ${nounOf("option", option)}. ${meantOption(group, option, [...options]) ?? `${whatItHas(group)} ${help}`}`;
    case "commander.missingArgument":
      return `The argument <${named}> is missing. ${help}`;
    case "commander.excessArguments":
      return `There are too many arguments. ${group.registeredArguments.length > 0 ? "Put an argument of several words in quotes. " : ""}${whatItHas(group)} ${help}`;
    case "commander.optionMissingArgument":
      return `${option} needs a value: ${named}. ${help}`;
    case "commander.missingMandatoryOptionValue":
      return `Add ${named}. ${help}`;
    case "commander.invalidArgument":
      return `${valued(message, option)} must be one of these: ${choices}`;
    default:
      return `The command line is not valid. ${help}`;
  }
}

/** The options that help lists. Others are other names of arguments. */
function shownOptions(command: CommanderCommand): Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

/** Says which option, or which argument, was probably meant. */
function meantOption(
  group: CommanderCommand,
  option: string,
  options: readonly string[],
): string | undefined {
  const typed = option.replace(/^-+/, "");
  const names = options.map((each) => each.replace(/^--/, ""));
  const meant = suggestOptions(typed, names).map((each) => `--${each}`);
  if (meant.length > 0) return `Did you mean ${listOf(meant)}?`;
  const [argument] = group.registeredArguments;
  if (argument !== undefined && suggestOptions(typed, [argument.name()]).length > 0)
    return `Type it without an option: "${usageOf(group)}".`;
  return undefined;
}

/** Says what can be typed after a command. A value is often typed without the name of its option. */
function whatItHas(group: CommanderCommand): string {
  const args = group.registeredArguments.map((each) => `<${each.name()}>`);
  const options = shownOptions(group).map(({ flags }) => flags);
  const words = [...args, ...options].slice(0, MOST_OPTIONS);
  return words.length === 0
    ? "It has only the options of every command, such as --profile <name> and --json."
    : `After "${pathOf(group)}" you can type: ${words.join(", ")}.`;
}

const MOST_OPTIONS = 5;

function usageOf(group: CommanderCommand): string {
  return `${pathOf(group)} ${group.usage().replace("[options] ", "")}`;
}

function listOf(words: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(words);
}

/** Returns the option or the argument that has a value of choices. */
function valued(message: string, option: string): string {
  const [, argument] =
    /is invalid for argument '(\w+)'\. Allowed choices are [^']*$/.exec(message) ?? [];
  return argument === undefined ? option : `<${argument}>`;
}

/** Returns the group of a command line, and the words after it, without options. */
function groupIn(program: CommanderCommand, args: readonly string[]) {
  let group = program;
  const words = args.filter((word) => !word.startsWith("-") && word !== "help");
  for (const [at, word] of words.entries()) {
    const inner = group.commands.find((each) => each.name() === word);
    if (inner === undefined) return { group, rest: words.slice(at) };
    group = inner;
  }
  return { group, rest: [] };
}

function unknownCommand(
  group: CommanderCommand,
  rest: readonly string[],
  named: string,
  paths: readonly string[],
  help: string,
): string {
  const before = pathOf(group).split(" ").slice(1);
  const found = suggestCommands([...before, ...rest], before.join(" "), paths).map(
    (path) => `"${path}"`,
  );
  return `"${pathOf(group)}" has no ${nounOf("command", named)}. ${found.length === 0 ? help : `Did you mean ${listOf(found)}?`}`;
}

/** Names the wrong word, but not what may be a value or a key in its place. */
function nounOf(what: "command" | "option", typed: string): string {
  const isWord = WORD.test(typed) && isFieldName(typed.replace(/^-+/, ""));
  return isWord ? `${what} ${typed}` : `such ${what}`;
}

const WORD = /^(?:--)?[a-z][a-z\d-]{0,29}$/i;

function pathOf(command: CommanderCommand): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
