import type { MobileClient } from "@fieldmesh/mobile-client";

/** A command as data. A program builds its help from it, and loads the command's code when the command runs. */
export interface SandboxCommand {
  /** The word that calls it, such as `trigger`. */
  readonly name: string;
  /** One line for lists of commands: a verb first, no full stop. */
  readonly summary: string;
  /** What the line leaves out. */
  readonly description?: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** Command lines without the name of the program, each with what it does. */
  readonly examples: readonly [CommandExample, CommandExample, ...CommandExample[]];
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}

/** Runs a command. Throws a {@link CommandError} for everything that the user can fix. */
export type RunCommand = (context: CommandContext, input: CommandInput) => Promise<void>;

export interface CommandArgument {
  readonly name: string;
  readonly description: string;
  readonly optional?: boolean;
}

export interface CommandOption {
  /** As it is typed, without dashes: `secret-file`. */
  readonly name: string;
  readonly description: string;
  /** What to write after it, such as `file`; a switch has none. */
  readonly value?: string;
  /** The values that it accepts. Any, if there are none. */
  readonly choices?: readonly string[];
  /** The heading that the help lists it under, such as `Ledger`. */
  readonly group?: string;
  readonly required?: boolean;
  /** May be given more than once. */
  readonly repeatable?: boolean;
}

/** A command line, and what it does. */
export interface CommandExample {
  readonly line: string;
  readonly does: string;
}

/** The arguments and options of a command line. */
export interface CommandInput {
  readonly arguments: readonly (string | undefined)[];
  /** By the name of the option without dashes, in camel case. `--no-cors` is `cors: false`. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** Returns the value of an option; `undefined` if the option is missing or is a switch. */
export function textOf({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the name of an option as it is in {@link CommandInput}. */
export function camelCase(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What a command works with. A program creates it, and a test creates one that keeps what is printed. */
export interface CommandContext {
  /** What a user types before the name of a command, such as `fieldmesh-sandbox`. */
  readonly program: string;
  readonly output: CommandOutput;
  readonly prompt: {
    /** Asks for a secret, or throws a CommandError that names what to use instead. */
    secret(question: string, instead: string): Promise<string>;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts at Ctrl-C: the command ends what is in progress, and returns. */
  readonly signal: AbortSignal;
  /** Shows a signing secret that the sandbox has made. */
  readonly reveal: boolean;
  /** Creates a client with the address and the key of the user. */
  client(service: "mobile"): Promise<MobileClient>;
}

export interface CommandOutput {
  /** Prints one object or NDJSON instead of lines. */
  readonly isJson: boolean;
  /** Leaves out what nobody asked for, such as the requests that a sandbox receives. @default false */
  readonly isQuiet?: boolean;
  /** Prints one result: as JSON, or as a table. */
  record(value: unknown): Promise<void>;
  /** Prints results: a table of these columns, or NDJSON. */
  records(
    values: AsyncIterable<unknown> | Iterable<unknown>,
    columns?: readonly string[],
  ): Promise<void>;
  /** Prints a line of a result. */
  line(text: string): Promise<void>;
  /** Tells the user something that is not a result, on stderr. */
  note(text: string): void;
}
