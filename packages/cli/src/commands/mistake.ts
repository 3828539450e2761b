import type { Command as CommanderCommand, CommanderError } from "commander";
import { nearest } from "@fieldmesh/core/internal";

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
  const options = new Set([...group.options, ...program.options].map(({ long }) => long ?? ""));
  const [, meant = ""] = /\(Did you mean (?:one of )?(--[\w-]+)/.exec(message) ?? [];
  const [choices] = message.split("Allowed choices are ").slice(-1);
  switch (code) {
    case "commander.help":
      return `${pathOf(group)} needs a command: ${group.commands.map((each) => each.name()).join(", ")}. ${help}`;
    case "commander.unknownCommand":
      return unknownCommand(group, rest, paths, help);
    case "commander.unknownOption":
      if (options.has(option)) return `${option} has no value. ${help}`;
      return `"${pathOf(group)}" has no such option. ${options.has(meant) ? `Did you mean ${meant}?` : help}`;
    case "commander.missingArgument":
      return `The argument <${named}> is missing. ${help}`;
    case "commander.excessArguments":
      return `There are too many arguments. ${help}`;
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
  paths: readonly string[],
  help: string,
): string {
  const before = pathOf(group).split(" ").slice(1);
  const typed = [...before, ...rest];
  const names = group.commands.map((each) => each.name());
  const word = nearest(rest[0] ?? "", names);
  const what = `"${pathOf(group)}" has no such command.`;
  const found = word === undefined ? nearestPath(typed, paths) : [...before, word].join(" ");
  return `${what} ${found === undefined ? help : `Did you mean "${found}"?`}`;
}

/** The service may be missing, and words may follow that are not part of the command. */
function nearestPath(typed: readonly string[], paths: readonly string[]): string | undefined {
  const known = new Map(
    paths.flatMap((path) => [
      [path, path],
      [path.slice(path.indexOf(" ") + 1), path],
    ]),
  );
  for (let length = typed.length; length > 0; length--) {
    const found = nearest(typed.slice(0, length).join(" "), known.keys());
    if (found !== undefined) return known.get(found);
  }
  return undefined;
}

function pathOf(command: CommanderCommand): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
