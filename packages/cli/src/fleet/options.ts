import type { Input } from "../command.ts";
import { CliError } from "../exit-codes.ts";

/** Returns the value of an option, if it is set. */
export function textOption({ options }: Input, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the values of a repeatable option. */
export function listOption({ options }: Input, name: string): readonly string[] {
  const value = options[name];
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Returns the argument at a position. The program has checked that it exists. */
export function argument(input: Input, place: number): string {
  return input.arguments[place] ?? "";
}

/** Returns `--settle-time` in milliseconds. */
export function settleTimeOf(input: Input): number | undefined {
  const text = textOption(input, "settleTime");
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() === "" || !(seconds >= 0 && seconds <= 3_600))
    throw new CliError("--settle-time must be a number of seconds, from 0 to 3600.");
  return Math.round(seconds * 1_000);
}
