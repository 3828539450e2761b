import type { CommandOutput } from "@fieldmesh/sandbox/internal/commands";
import type { Readable, Writable } from "node:stream";
import { wrapCells } from "./cells.ts";

/**
 * What a command prints. Results go to stdout and everything else to stderr, so that a pipe receives only results. Secrets are hidden without `--reveal`, and `--quiet` leaves
 * notes out.
 */
export interface Output extends CommandOutput {
  /** stdout is a terminal. */
  readonly isTerminal: boolean;
  records(
    values: AsyncIterable<unknown> | Iterable<unknown>,
    columns?: readonly string[],
    options?: TableOptions,
  ): Promise<void>;
  /** Prints a part of a file. A line of a result, such as {@link line}, never has what a terminal would obey; in a pipe, a file is unchanged. */
  file(text: string): Promise<void>;
  /** Starts a progress bar on stderr. It appears after a second, and only on a terminal. */
  progress(what: string, total: number | undefined): Progress;
}

/** How a table fits a terminal that is too narrow. By default, its last columns are left out. */
export interface TableOptions {
  /** Rows break between words. */
  readonly wrap?: boolean | undefined;
  /** No column is left out, because the user has chosen them: rows are cut. */
  readonly keepsAll?: boolean | undefined;
}

export interface Progress {
  /** Sets how much is done. The counts appear after the bar, such as `{ failed: 3 }`. */
  update(done: number, counts?: Readonly<Record<string, number>>): void;
  /** Removes the bar. */
  end(): void;
}

/** Asks on the terminal. Without a terminal, each question throws a CliError that names the option or variable to use instead. */
export interface Prompt {
  /** stdin and stderr are a terminal, so that it can ask. */
  readonly isTerminal: boolean;
  /** Asks for yes or no. The default is no. */
  confirm(question: string): Promise<boolean>;
  /** Asks for a secret, which is not shown while it is typed. */
  secret(question: string, instead: string): Promise<string>;
}

/** The target of output: process.stdout, process.stderr, or a recorder of a test. */
export interface Sink {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, written: (error?: Error | null) => void): unknown;
}

/** Breaks sentences between words for a terminal. `indent` is before what continues a line. A pipe gets whole lines. An indented line is one to copy, and stays whole. */
export function wrapFor(
  {
    isTTY,
    columns,
  }: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  text: string,
  indent = "",
): string {
  if (isTTY !== true || !columns) return text;
  return text
    .split("\n")
    .map((line) => (line.startsWith(" ") ? line : wrapCells(line, columns, indent)))
    .join("\n");
}

/** The reader of a pipe has ended, as `head` does. This is not a failure. */
export class ClosedPipeError extends Error {
  override readonly name = "ClosedPipeError";
}

/** Writes the string and waits until it is written, so that a slow reader slows the command. */
export function writeTo(sink: Sink, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(isClosedPipe(error) ? new ClosedPipeError() : error);
    });
  });
}

/** Tells whether the reader of a pipe has ended. */
export function isClosedPipe(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

/** Where a command line is typed and its output goes: the streams and the environment of the process, or those of a test. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly env: NodeJS.ProcessEnv;
}

type TerminalOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** A longer list is easier to read as JSON or after the first problems are solved. */
const MOST = 20;

/** Prints the first lines of a list, and how many there are beyond them. `more` is what they are. */
export async function printFirst(
  print: (line: string) => unknown,
  lines: readonly string[],
  more: string,
): Promise<void> {
  for (const line of lines.slice(0, MOST)) await print(line);
  if (lines.length > MOST) await print(`and ${lines.length - MOST} ${more}`);
}
