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
  // The message of commander has the name of what is wrong in quotes.
  const [, named = ""] = /'([^']*)'/.exec(message) ?? [];
  const [option = ""] = named.split(/[ ,]/, 1);
  const [, suggested] = /\(Did you mean (?:one of )?([^,?)]+)/.exec(message) ?? [];
  const [, choices = ""] = message.split("Allowed choices are ");
  switch (code) {
    case "commander.help":
      return `${pathOf(group)} needs a command: ${group.commands.map((each) => each.name()).join(", ")}. ${help}`;
    case "commander.unknownCommand":
      return unknownCommand(group, rest, paths, help);
    case "commander.unknownOption":
      return `There is no option ${named}. ${suggested === undefined ? help : `Did you mean ${suggested}?`}`;
    case "commander.missingArgument":
      return `The argument <${named}> is missing. ${help}`;
    case "commander.excessArguments":
      return `There are too many arguments. ${help}`;
    case "commander.optionMissingArgument":
      return `${option} needs a value: ${named}. ${help}`;
    case "commander.missingMandatoryOptionValue":
      return `Add ${named}. ${help}`;
    case "commander.invalidArgument":
      return `${option === "" ? "A value" : option} must be one of these: ${choices}`;
    default:
      return `The command line is not valid. ${help}`;
  }
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
  const what = `There is no command "${[...before, rest[0]].join(" ")}".`;
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
