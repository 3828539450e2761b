import type { StartOptions } from "../../server/start-sandbox.ts";
import { UsageError } from "../command-error.ts";
import { camelCase, type CommandInput } from "../command.ts";
import type { Switch } from "../../switch.ts";
import { switches } from "../switches.ts";

export type SwitchSettings = Pick<
  StartOptions,
  "cors" | "logSize" | "logBytes" | "console" | "ledger" | "mapper" | "mobile"
>;

interface Nested {
  [name: string]: unknown;
}

/** Reads the switches of a command line. Throws a UsageError for an invalid value. */
export function readSwitches({ options }: CommandInput): SwitchSettings {
  const settings: Nested = {};
  for (const each of switches) {
    const value = readValue(each, options[nameOf(each)]);
    if (value !== undefined) setAt(settings, each.option.split("."), value);
  }
  // The switches are generated from the types of these options.
  return settings;
}

export function givenServiceSwitches({ options }: CommandInput): readonly Switch[] {
  return switches.filter(
    (each) => each.option.includes(".") && readValue(each, options[nameOf(each)]) !== undefined,
  );
}

/** Returns the switches of a sandbox as they are typed. */
export function typedSwitches(settings: SwitchSettings): readonly string[] {
  return switches.flatMap(({ option, flag, kind }) => {
    // What is at the place of a switch is its value.
    const value = option
      .split(".")
      .reduce<unknown>((inside, name) => (inside as Nested | undefined)?.[name], settings) as
      | Switch["default"]
      | undefined;
    if (value === undefined) return [];
    if (kind === "boolean") return [`--${flag}`];
    const text = Array.isArray(value) ? value.join(",") : String(value);
    return [`--${flag} ${text.includes(" ") ? `"${text}"` : text}`];
  });
}

/** Returns the message of an option of the sandbox as one of the command line: `ledger.height must be …` names `--ledger-height`. */
export function inWordsOfFlags(message: string): string {
  const [name = ""] = message.split(" ");
  const found = switches.find(({ option }) => option === name || option.split(".").at(-1) === name);
  return found === undefined ? message : message.replace(name, `--${found.flag}`);
}

function nameOf({ flag }: Switch): string {
  return camelCase(flag.replace(/^no-/, ""));
}

function readValue(
  { flag, kind, choices, default: usual }: Switch,
  given: CommandInput["options"][string],
): unknown {
  // A program may set the default where the command line has no such option.
  if (kind === "boolean") return given === !usual ? given : undefined;
  if (typeof given !== "string") return undefined;
  if (kind === "number") return readNumber(flag, given);
  if (kind === "choice") return given;
  const items = given.split(",").filter((item) => item !== "");
  if (choices !== undefined && !items.every((item) => choices.includes(item)))
    throw new UsageError(`--${flag} accepts ${choices.join(", ")}, separated by commas.`);
  return items;
}

function readNumber(flag: string, text: string): number {
  if (/^(\d+(\.\d+)?|Infinity)$/.test(text)) return Number(text);
  throw new UsageError(`--${flag} needs a number, or Infinity.`);
}

function setAt(target: Nested, [name = "", ...path]: readonly string[], value: unknown): void {
  if (path.length === 0) target[name] = value;
  else setAt((target[name] ??= {}) as Nested, path, value);
}
