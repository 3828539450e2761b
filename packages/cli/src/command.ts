import type {
  CommandArgument,
  CommandExample as Example,
  CommandInput as Input,
  CommandOption,
} from "@fieldmesh/sandbox/commands";
import type { Clients, Context } from "./context.ts";

// The commands of the sandbox are commands here too, so what a command line has is the same.
export type { Example, Input };

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
  /** The service that it writes to, whose address is printed before. */
  readonly writesTo?: keyof Clients;
  /** Asks by itself. Without a terminal it needs `--yes`, because what it does to many things cannot be undone. */
  readonly needsYes?: boolean;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** Runs a command. It throws a {@link CliError} for everything that the user can change. */
export type Run = (context: Context, input: Input) => Promise<void>;

/** An argument of a command. */
export interface Argument extends CommandArgument {
  readonly choices?: readonly string[];
}

/** An option of a command. */
export interface Option extends CommandOption {
  readonly choices?: readonly string[];
}
