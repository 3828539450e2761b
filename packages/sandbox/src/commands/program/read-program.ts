import { parseArgs } from "node:util";
import { nearest } from "@fieldmesh/core/internal";
import { UsageError } from "../command-error.ts";
import {
  camelCase,
  type CommandInput,
  type CommandOption,
  type SandboxCommand,
} from "../command.ts";
import { sandboxCommand, webhookCommands } from "../specs.ts";

/** What a command line of `fieldmesh-sandbox` requests. */
export type ProgramRequest =
  | { readonly show: "version" }
  | { readonly show: "help"; readonly command: SandboxCommand | undefined }
  | {
      readonly command: SandboxCommand;
      readonly input: CommandInput;
      readonly isJson: boolean;
      readonly isQuiet: boolean;
    };

/** Reads the arguments after the program's name. Throws a UsageError for an invalid command line. */
export function readProgram(args: readonly string[]): ProgramRequest {
  const [first = "", ...rest] = args;
  if (first === "help") {
    const [name] = rest;
    return { show: "help", command: name === undefined ? undefined : commandOf(name) };
  }
  const isNamed = first !== "" && !first.startsWith("-");
  const command = isNamed ? commandOf(first) : sandboxCommand;
  const { input, switches } = readCommandLine(command, isNamed ? rest : args);
  if (switches.has("help")) return { show: "help", command: isNamed ? command : undefined };
  if (switches.has("version")) return { show: "version" };
  checkComplete(command, input);
  return { command, input, isJson: switches.has("json"), isQuiet: switches.has("quiet") };
}

function commandOf(name: string): SandboxCommand {
  const found = webhookCommands.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = webhookCommands.map((each) => each.name);
  throw new UsageError(`There is no such command; ${adviceFor(name, names, "")}`);
}

const SECRET: CommandOption = {
  name: "secret",
  value: "secret",
  description:
    "the signing secret; use this only for a secret made for a test, because other users can see it in the list of processes",
};
/** The commands that accept a secret on the command line, because it is for tests on this machine. */
const WITH_LOCAL_SECRET: ReadonlySet<string> = new Set(["sandbox", "send"]);

export function optionsOf({ name, options = [] }: SandboxCommand): readonly CommandOption[] {
  return WITH_LOCAL_SECRET.has(name) ? [...options, SECRET] : options;
}

const SWITCHES = ["help", "json", "quiet", "version"];

function readCommandLine(command: SandboxCommand, args: readonly string[]) {
  const known = new Map(optionsOf(command).map((option) => [option.name, option]));
  const options = Object.fromEntries([
    ...[...known.values()].map(({ name, value }) => [name, typed(value !== undefined)] as const),
    ...SWITCHES.map((name) => [name, typed(false)] as const),
    ["help", { type: "boolean", short: "h" }] as const,
  ]);
  // Not strict, because the messages of strict mode are for the author of the program.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values: Record<string, string | boolean | readonly string[]> = {};
  const switches = new Set<string>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const option = known.get(name);
    const isSwitch = option === undefined ? SWITCHES.includes(name) : option.value === undefined;
    if (option === undefined && !isSwitch)
      throw new UsageError(
        `There is no such option; ${adviceFor(name, [...known.keys(), ...SWITCHES])}`,
      );
    if (!isSwitch && value === undefined)
      throw new UsageError(`${rawName} needs a value; see --help.`);
    if (isSwitch && value !== undefined)
      throw new UsageError(`${rawName} takes no value; see --help.`);
    if (option === undefined) switches.add(name);
    else if (name.startsWith(NOT)) values[camelCase(name.slice(NOT.length))] = false;
    else values[camelCase(name)] = joined(values[camelCase(name)], option, checked(option, value));
  }
  const [surplus] = words.slice(command.arguments?.length ?? 0);
  if (surplus !== undefined) throw new UsageError("There are too many arguments; see --help.");
  return { input: { arguments: words, options: values }, switches };
}

const NOT = "no-";

function adviceFor(name: string, names: readonly string[], dashes = "--"): string {
  const meant = nearest(name, names);
  return meant === undefined ? "see --help." : `did you mean ${dashes}${meant}?`;
}

function checked({ name, choices }: CommandOption, value: string | undefined): string | undefined {
  if (choices === undefined || value === undefined || choices.includes(value)) return value;
  const meant = nearest(value, choices);
  const advice = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new UsageError(`--${name} accepts ${choices.join(" or ")}.${advice}`);
}

function typed(hasValue: boolean) {
  return { type: hasValue ? "string" : "boolean" } as const;
}

function joined(
  before: string | boolean | readonly string[] | undefined,
  { repeatable = false }: CommandOption,
  value: string | undefined,
) {
  if (value === undefined) return true;
  return repeatable ? [...(Array.isArray(before) ? (before as string[]) : []), value] : value;
}

function checkComplete({ name, ...command }: SandboxCommand, input: CommandInput): void {
  const missing = command.arguments?.find(
    ({ optional }, index) => !optional && input.arguments[index] === undefined,
  );
  if (missing !== undefined)
    throw new UsageError(`${name} needs <${missing.name}>: ${missing.description}.`);
  const option = command.options?.find(
    (each) => each.required && input.options[camelCase(each.name)] === undefined,
  );
  if (option !== undefined)
    throw new UsageError(`${name} needs --${option.name} <${option.value}>; see --help.`);
}
