import type { Context } from "./context.ts";

/** A command as data: help, completion and the program are made from it, and its code is loaded when it runs. */
export interface Command {
  /** The words that call it, such as `devices import`. */
  readonly path: string;
  /** One line for lists of commands: a verb first, no full stop. */
  readonly summary: string;
  /** What the line leaves out: limits, what is kept, how to resume. */
  readonly description?: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Command lines without the name of the program, each with what it does. */
  readonly examples: readonly [Example, Example, ...Example[]];
  /** Asks on a terminal before it runs; `--yes` leaves the question out. */
  readonly writes?: boolean;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** Runs a command. It throws a {@link CliError} for everything that the user can change. */
export type Run = (context: Context, input: Input) => Promise<void>;

/** What stood on the command line. */
export interface Input {
  readonly arguments: readonly (string | undefined)[];
  /** By the name of the option without dashes, in camel case. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

export interface Argument {
  readonly name: string;
  readonly description: string;
  readonly optional?: boolean;
  readonly choices?: readonly string[];
}

export interface Option {
  /** As it is typed, without dashes: `min-time`. */
  readonly name: string;
  readonly description: string;
  /** What to write behind it, such as `file`; a switch has none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
  /** May be given more than once. */
  readonly repeatable?: boolean;
}

export interface Example {
  readonly line: string;
  readonly does: string;
}
