// What a user copies into a shell. The page uses it too, so this file imports nothing.

/** A value that the shell reads from an environment variable. Neither string may come from others. */
export interface ShellVariable {
  readonly variable: string;
  /** What the shell says where the variable is not set, and stops. @default an empty value */
  readonly unset?: string;
}

/** A word of a command: its characters, or parts in which variables are the rest. */
export type ShellWord = string | readonly (string | ShellVariable)[];

/** Returns a command for bash and zsh. Breaks a long one into lines: words of one list stay together. */
export function shellCommand(words: readonly (readonly ShellWord[])[]): string {
  const written = words.map((each) => each.map(shellWord).join(" "));
  const line = written.join(" ");
  return line.length <= LONGEST_LINE ? line : written.join(" \\\n  ");
}

const LONGEST_LINE = 76;

/**
 * Returns a word that a shell passes to a program unchanged. No part of a string is run, expanded or searched for in the history,
 * and the result has no line break and no control character, which a terminal would obey before the shell reads it.
 *
 * A NUL is left out, because no argument of a program can contain one.
 */
export function shellWord(word: ShellWord): string {
  if (typeof word !== "string") return joined(word);
  const text = word.replaceAll("\0", "");
  if (HARMLESS.test(text)) return text;
  return text === "" ? "''" : text.replace(RUNS, quoted);
}

/** Writes strings that follow each other as one. */
function joined(parts: readonly (string | ShellVariable)[]): string {
  let written = "";
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
    } else {
      written += (text && shellWord(text)) + read(part);
      text = "";
    }
  }
  return written !== "" && text === "" ? written : written + shellWord(text);
}

function read({ variable, unset }: ShellVariable): string {
  return unset === undefined ? `"$${variable}"` : `"\${${variable}:?${unset}}"`;
}

/** Also at the start of a word: zsh reads `=ls` as the path of a program. */
const HARMLESS = /^[\w./:@+-][\w./:@=+-]*$/;

/** What is quoted in one way: what a pair of single quotes cannot hold in every shell, control and invisible characters, the rest. */
const RUNS = /'+|\\+|!+|[\p{C}\p{Zl}\p{Zp}]+|[^'\\!\p{C}\p{Zl}\p{Zp}]+/gu;

function quoted(run: string): string {
  switch (run[0]) {
    case "'":
      return `"${run}"`;
    // A backslash before a single quote escapes it in fish, also within single quotes.
    case "\\":
      return `"${run}${run}"`;
    // Old versions of bash search the history for it within quotes that follow others.
    case "!":
      return "\\!".repeat(run.length);
    default:
      return /^[\p{C}\p{Zl}\p{Zp}]/u.test(run) ? `$'${octal(run)}'` : `'${run}'`;
  }
}

/** The bytes as bash and zsh read them within `$'…'`. */
function octal(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text));
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/**
 * Returns the variable for a hidden value, such as `SENT_APP_KEY` for `app_key`. Anyone can choose the name in a request: without
 * the prefix, `?aws_secret_access_key` would send a variable of the user.
 */
export function variableOf(name: string): string {
  return `SENT_${name.replaceAll(/\W+/g, "_").toUpperCase()}`;
}
